// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_makers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/finding_groups.h"
#include "base/autofree.h"
#include "base/text.h"
#include "model/files/file_calls.h"

enum {
	CACHED_MOST = 4
}; /* faults on the code that creates a process: the page cache decides how many, so they fail nobody */

/* What fork(), system(), popen() and wait() consist of, and how many of it one process takes at most. */
struct maker_call {
	const char *name;
	uint64_t most;
	bool creates;
};

static const struct maker_call maker_calls[] = {
	{ "clone", 1, true },
	{ "clone3", 1, true },
	{ "fork", 1, true },
	{ "vfork", 1, true },
	{ "close", 2, false }, /* of popen(), both ends of the pipe, as the next three */
	{ "fcntl", 1, false },
	{ "pipe2", 1, false },
	{ "prlimit64", 2, false },
	{ "mmap", 1, false }, /* the stack of the child of posix_spawn() */
	{ "munmap", 1, false },
	{ "rt_sigaction", 4, false }, /* system() ignores two signals, and restores them */
	{ "rt_sigprocmask", 4, false }, /* so do system() and posix_spawn(), with all signals */
	{ "wait4", 2, false }, /* a second one says that there are no more */
	{ "waitid", 2, false },
};

static const struct maker_call *maker_call_of(const struct check_finding *finding)
{
	const bool is_call = finding->kind == BASELINE_CALLS || finding->kind == BASELINE_SCHEDULED;

	for (size_t i = 0; is_call && i < sizeof(maker_calls) / sizeof(maker_calls[0]); i++)
		if (!strcmp(finding->name, maker_calls[i].name))
			return &maker_calls[i];
	return NULL;
}

/* Of who has forked nobody before, these are pages that the new children share. */
static bool is_first_copy(const struct check_finding *finding)
{
	return finding->kind == BASELINE_PAGES && !finding->then_most &&
	       !strcmp(finding->name, "pages written after a fork");
}

static uint64_t increase_of(const struct check_finding *finding)
{
	return finding->change == CHANGE_WORSE ? finding->now_least - finding->then_most : 0;
}

/* How many processes, or threads, more it creates, by whatever call; NULL: all do. */
static uint64_t created_by(const struct check_result *result, const char *of)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct maker_call *call = maker_call_of(&result->findings[i]);

		if (call && call->creates && (!of || !strcmp(result->findings[i].of, of)))
			count += increase_of(&result->findings[i]);
	}
	return count;
}

static bool is_for_them(const struct check_finding *finding, uint64_t created)
{
	const struct maker_call *call = maker_call_of(finding);
	const uint64_t increase = increase_of(finding);

	return increase && (call ? increase <= call->most * created : is_first_copy(finding));
}

/* What it does more often for that, and no oftener than it takes: parts; a list of them, to be freed. */
static char *join_maker(struct check_result *result, const char *of, uint64_t created)
{
	struct name_list list = { .most = 1 + sizeof(maker_calls) / sizeof(maker_calls[0]) };

	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];
		autofree char *words = NULL;

		if (strcmp(finding->of, of) != 0 || !is_for_them(finding, created))
			continue;
		finding->part = true;
		words = text__of("%" PRIu64 " %s", increase_of(finding), finding->name);
		name_list__add(&list, words);
	}
	return name_list__finish(&list);
}

static bool is_call(const struct check_finding *finding)
{
	return (finding->kind == BASELINE_CALLS || finding->kind == BASELINE_SCHEDULED) && !strchr(finding->name, ' ');
}

/* FILE_USE_COUNT: it is no call, or uses no file. */
static enum file_use use_of(const struct check_finding *finding)
{
	const struct file_call *call = is_call(finding) ? file_call__find(finding->name) : NULL;

	return call ? call->use : FILE_USE_COUNT;
}

/* How often this was done with pipes; false: that varies. */
static bool calls_on_pipes(const struct baseline_context *context, const char *of, enum file_use use, uint64_t *calls)
{
	static const char pipe[] = "pipe:";

	*calls = 0;
	for (size_t i = 0; i < context->file_count; i++) {
		const struct baseline_file *file = &context->files[i];

		if (strcmp(file->of, of) != 0 || strncmp(file->path, pipe, strlen(pipe)) != 0)
			continue;
		if (file->occurrences.vary)
			return false;
		*calls += file->calls[use];
	}
	return true;
}

/* Are all calls that do this with files, and are more than before, about pipes? */
static bool all_are_on_pipes(const struct check_result *result, const char *of, enum file_use use)
{
	uint64_t now, then, more = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (!strcmp(result->findings[i].of, of) && use_of(&result->findings[i]) == use)
			more += increase_of(&result->findings[i]);
	return calls_on_pipes(&result->now, of, use, &now) && calls_on_pipes(result->then, of, use, &then) &&
	       then + more <= now;
}

/* The buffer of stdio, and what malloc() keeps beside it. */
static bool is_buffer(const struct check_finding *finding, uint64_t created)
{
	enum { PAGES_OF_BUFFER = 2 };

	return finding->kind == BASELINE_PAGES && !strcmp(finding->name, "new pages filled") &&
	       increase_of(finding) <= PAGES_OF_BUFFER * created;
}

/* What it reads of the new ones, and writes to them: parts; a list of them, to be freed. NULL: nothing. */
static char *join_pipes(struct check_result *result, const char *of, uint64_t created)
{
	struct name_list list = { .most = SIZE_MAX };
	bool any = false; /* calls stand before pages */

	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];
		const enum file_use use = use_of(finding);
		const bool is_piped = use != FILE_USE_COUNT && all_are_on_pipes(result, of, use);
		autofree char *words = NULL;

		if (strcmp(finding->of, of) != 0 || !increase_of(finding) ||
		    !(is_piped || (any && is_buffer(finding, created))))
			continue;
		finding->part = any = true;
		words = text__of(is_piped ? "%" PRIu64 " %s" : "%" PRIu64 " of the %s", increase_of(finding),
				 finding->name);
		name_list__add(&list, words);
	}
	return any ? name_list__finish(&list) : NULL;
}

static void join_cached(struct check_result *result, const char *of, uint64_t created)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];

		finding->part |= finding->kind == BASELINE_CACHED && !strcmp(finding->of, of) && increase_of(finding) &&
				 increase_of(finding) <= CACHED_MOST * created;
	}
}

void finding_makers__join(struct check_result *result)
{
	struct check_finding *first = finding_groups__first_new(result);

	/* Else some of them are threads, or of kinds known before. */
	if (!first || created_by(result, NULL) > finding_groups__added(result, false))
		return;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];
		const struct maker_call *call = maker_call_of(finding);
		const uint64_t created = created_by(result, finding->of);
		autofree char *more = NULL, *pipes = NULL;

		if (finding->part || !call || !call->creates || !increase_of(finding))
			continue;
		pipes = join_pipes(result, finding->of, created);
		more = join_maker(result, finding->of, created);
		join_cached(result, finding->of, created);
		check_finding__say(first, "to create them and wait for them, %s does more: %s", finding->of, more);
		if (pipes)
			check_finding__say(first, "with pipes, %s does more: %s", finding->of, pipes);
	}
}

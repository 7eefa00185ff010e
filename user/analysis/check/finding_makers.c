// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_makers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/finding_groups.h"
#include "base/autofree.h"
#include "base/text.h"

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

void finding_makers__join(struct check_result *result)
{
	struct check_finding *first = finding_groups__first_new(result);

	/* Else some of them are threads, or of kinds known before. */
	if (!first || created_by(result, NULL) > finding_groups__added(result, false))
		return;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];
		const struct maker_call *call = maker_call_of(finding);
		autofree char *more = NULL;

		if (finding->part || !call || !call->creates || !increase_of(finding))
			continue;
		more = join_maker(result, finding->of, created_by(result, finding->of));
		check_finding__say(first, "to create them and wait for them, %s does more: %s", finding->of, more);
	}
}

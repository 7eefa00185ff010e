// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/finding_reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "elf/facts.h"
#include "model/files/file_calls.h"

enum { NAMESAKES_LEAST = 2 }; /* beside the first: from then on, they are reported as one */

/* The call of "openat ENOENT", or of "open (i386)". */
static const struct file_call *call_of(const struct check_finding *finding)
{
	autofree char *name = strndup(finding->name, strcspn(finding->name, " "));

	return file_call__find(checked(name));
}

static const char *const use_words[FILE_USE_COUNT] = {
	[FILE_LOOKED_AT] = "looked at", [FILE_OPENED] = "opened", [FILE_READ] = "read",
	[FILE_WRITTEN] = "written to", [FILE_MAPPED] = "mapped", [FILE_EXECUTED] = "executed",
	[FILE_CHANGED] = "changed",
};

/* How much oftener this was done with the file; 0: it was not. */
static uint64_t more_calls(const struct baseline_file *file, const struct baseline_context *then, enum file_use use)
{
	const struct baseline_file *before =
		then->file_count ? bsearch(file, then->files, then->file_count, sizeof(*file),
					   baseline_file__compare) : NULL;
	const uint64_t calls = before ? before->calls[use] : 0;

	if (before && before->occurrences.vary) /* as often as who knows; of the file itself: it has none */
		return 0;
	return file->calls[use] > calls ? file->calls[use] - calls : 0;
}

/* Of these, those that failed, in one of the runs; 0: none, or there is no run to ask. */
static uint64_t failed_calls(const struct check_names *names, const struct baseline_file *file, enum file_use use)
{
	const struct files *files = names ? names->run->files : NULL;
	uint64_t failed = 0;

	for (size_t i = 0; files && i < files->row_count; i++) {
		const struct file_row *row = &files->rows[i];
		char *path;

		if (!row->uses[use].errors || !row->path ||
		    strcmp(check_names__group(names, row->group), file->of) != 0)
			continue;
		path = check_names__path(names, row->path);
		if (!strcmp(path, file->path))
			failed += row->uses[use].errors;
		free(path);
	}
	return failed;
}

/* What explains a finding of calls: what was done with files of its processes. */
struct looked {
	const struct check_result *result;
	const struct check_names *names; /* NULL: there is no run */
	enum file_use use;
};

/* Other paths of that name before the file, and in all, which also are new; and how many have succeeded. */
struct namesakes {
	size_t before, all, successes;
};

static bool has_succeeded(const struct looked *looked, const struct baseline_file *file)
{
	return failed_calls(looked->names, file, looked->use) < file->calls[looked->use];
}

static struct namesakes find_namesakes(const struct looked *looked, size_t index)
{
	const struct baseline_context *now = &looked->result->now;
	const struct baseline_file *file = &now->files[index];
	struct namesakes found = { .successes = has_succeeded(looked, file) };

	for (size_t i = 0; i < now->file_count; i++) {
		const struct baseline_file *other = &now->files[i];

		if (i == index || strcmp(other->of, file->of) != 0 ||
		    strcmp(text__file_name(other->path), text__file_name(file->path)) != 0 ||
		    !more_calls(other, looked->result->then, looked->use))
			continue;
		found.all++;
		found.before += i < index;
		found.successes += has_succeeded(looked, other);
	}
	return found;
}

/* "", " (failed)" or " (2 failed)"; to be freed. */
static char *failure_words(const struct looked *looked, const struct baseline_file *file)
{
	const uint64_t failed = failed_calls(looked->names, file, looked->use);

	if (!failed)
		return text__of("%s", "");
	return failed < file->calls[looked->use] ? text__of(" (%" PRIu64 " failed)", failed) : text__of(" (failed)");
}

static void say_file(struct check_finding *finding, const struct looked *looked,
		     const struct baseline_file *file, uint64_t more)
{
	const uint64_t calls = file->calls[looked->use], before = calls - more;
	const char *use = use_words[looked->use];
	autofree char *failed = failure_words(looked, file);

	if (before)
		check_finding__say(finding, "%s: %s %" PRIu64 " times, %" PRIu64 " before%s",
				   file->path, use, calls, before, failed);
	else if (more == 1)
		check_finding__say(finding, "%s: %s once, never before%s", file->path, use, failed);
	else
		check_finding__say(finding, "%s: %s %" PRIu64 " times, never before%s", file->path, use, more, failed);
}

/* A library, or a program, is searched for in one directory after the other until it is found. */
static void say_namesakes(struct check_finding *finding, const struct looked *looked,
			  const struct baseline_file *file, const struct namesakes *others)
{
	const bool is_search = looked->names && others->successes <= 1;

	check_finding__say(finding, "%s: %s in %zu directories, %s among them", text__file_name(file->path),
			   is_search ? "searched" : use_words[looked->use], others->all + 1, file->path);
}

static void say_files(struct check_finding *finding, const struct looked *looked)
{
	const struct baseline_context *now = &looked->result->now;

	for (size_t i = 0; i < now->file_count; i++) {
		const struct baseline_file *file = &now->files[i];
		const bool is_here = !strcmp(file->of, finding->of);
		const uint64_t more = is_here ? more_calls(file, looked->result->then, looked->use) : 0;
		struct namesakes others;

		if (!more)
			continue;
		others = find_namesakes(looked, i);
		if (others.all < NAMESAKES_LEAST)
			say_file(finding, looked, file, more);
		else if (!others.before)
			say_namesakes(finding, looked, file, &others);
	}
}

/* There are so many more at least. */
static uint64_t increase_of(const struct check_finding *finding)
{
	return finding->now_least - finding->then_most;
}

static bool is_worse_call(const struct check_finding *other, const struct check_finding *finding)
{
	return other->kind == BASELINE_CALLS && other != finding && check_finding__fails(other) &&
	       !strcmp(other->of, finding->of);
}

/* Of calls that fail: are there more of that name, too, of "openat" beside "openat ENOENT"? */
static const struct check_finding *find_calls(const struct check_finding *finding, const struct check_result *result)
{
	const size_t length = strcspn(finding->name, " ");

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (is_worse_call(other, finding) && strlen(other->name) == length &&
		    !strncmp(other->name, finding->name, length))
			return other;
	}
	return NULL;
}

static void explain_failed(struct check_finding *finding, const struct check_finding *calls)
{
	const uint64_t more = increase_of(calls), failed = increase_of(finding);

	check_finding__say(finding, "%s of %s: see above",
			   quantity__count(more, "more call", "more calls").text, calls->name);
	if (failed > more)
		check_finding__say(finding, "%" PRIu64 " calls fewer succeed than before", failed - more);
}

/* Files are counted by what was done with them, whatever the call: others that did it more often. */
static char *others_of_use(const struct check_finding *finding, const struct check_result *result, enum file_use use)
{
	struct name_list list = { .most = 3 };

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];
		const struct file_call *call = call_of(other);

		if (is_worse_call(other, finding) && call && call->use == use)
			name_list__add(&list, other->name);
	}
	return name_list__finish(&list);
}

/* How much oftener this was done with any file. */
static uint64_t more_of_use(const struct check_finding *finding, const struct check_result *result, enum file_use use)
{
	uint64_t more = 0;

	for (size_t i = 0; i < result->now.file_count; i++)
		if (!strcmp(result->now.files[i].of, finding->of))
			more += more_calls(&result->now.files[i], result->then, use);
	return more;
}

static void explain_files(struct check_finding *finding, const struct looked *looked)
{
	autofree char *others = others_of_use(finding, looked->result, looked->use);

	if (others && more_of_use(finding, looked->result, looked->use) > increase_of(finding))
		check_finding__say(finding, "by file, these calls are counted together with those of "
				   "%s:", others);
	say_files(finding, looked);
}

/* Of musl, ld.so is the C library: whose calls these are is not known then. */
static bool has_ldso_of_its_own(const struct check_names *names)
{
	bool musl = false;

	for (size_t i = 0; names && i < names->run->exe_count; i++) {
		const char *file = exe__file(&names->run->exes[i]);
		char *reason = NULL;
		struct elf_facts *facts = file ? elf_facts__read(file, &reason) : NULL;

		musl |= facts && facts->interp && facts->libc == LIBC_MUSL;
		elf_facts__free(facts);
		free(reason);
	}
	return !musl;
}

void call_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names)
{
	const struct baseline_metric *now =
		baseline_context__metric(&result->now, finding->of, finding->kind, finding->name);
	const struct baseline_metric *then =
		baseline_context__metric(result->then, finding->of, finding->kind, finding->name);
	const struct check_finding *calls = finding->kind == BASELINE_FAILED ? find_calls(finding, result) : NULL;
	const struct file_call *call = call_of(finding);
	const uint64_t before = then ? then->by_ldso : 0;

	if (calls) {
		explain_failed(finding, calls);
		return;
	}
	if (call && call->use != FILE_USE_COUNT)
		explain_files(finding, &(struct looked){ result, names, call->use });
	if (!has_ldso_of_its_own(names))
		return;
	if (now && now->by_ldso && now->by_ldso == before)
		check_finding__say(finding, "by the program: ld.so made as many as before");
	else if (now && (now->by_ldso || before))
		check_finding__say(finding, "ld.so made %" PRIu64 " of them, %" PRIu64 " before", now->by_ldso, before);
}

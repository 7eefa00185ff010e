// SPDX-License-Identifier: GPL-2.0-or-later
/* R2: a variable has many directories, which are looked into one after the other, and mostly in vain. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/start/search_list.h"
#include "analysis/start/start_avoided.h"
#include "analysis/start/start_parts.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/words/syscall_names.h"

enum { FAILURES_LEAST = 100, CALLS_LEAST = 200, DIRECTORIES_LEAST = 2 };
static const double SHARE_LEAST = 0.05, OF_FAILURES_LEAST = 0.3;
/* From one call of a search to the next: what takes longer is other work. */
static const double STEP_NS_MOST = 1e5;

/* Calls along the directories of a variable. */
struct search {
	char *name; /* of the variable; owned; NULL: it is no list of directories */
	char **directories; /* in its order; owned, and so are the next */
	bool *used; /* each: was something found there, and used? */
	size_t count;
	bool uses_known;
	bool by_looks; /* of PATH: no program was executed by name, but its directories were looked into */
	uint64_t calls, failed;
	double ns, least, most; /* of the run; the kernel's part alone; with all that may belong to it */
};

static void release(struct search *search)
{
	free(search->name);
	text__free_list(search->directories);
	free(search->used);
	*search = (struct search){ 0 };
}

/* Of "NAME=/a:/b". What is relative is no directory that a path would show. */
static struct search search_of(const char *entry)
{
	const char *at = strchr(entry, '=');
	struct search search = { 0 };

	while (at && *++at == '/') {
		const size_t length = strcspn(at, ":");
		size_t end = length;

		while (end > 1 && at[end - 1] == '/')
			end--;
		search.directories = checked_grow(search.directories, search.count, sizeof(*search.directories));
		search.directories[search.count++] = text__of("%.*s", (int)end, at);
		at = at[length] ? at + length : NULL;
	}
	search.directories = checked_grow(search.directories, search.count, sizeof(*search.directories));
	search.directories[search.count] = NULL;
	search.used = checked_calloc(search.count + 1, sizeof(*search.used));
	if (search.count < DIRECTORIES_LEAST || (at && *at))
		release(&search);
	else
		search.name = text__of("%.*s", (int)strcspn(entry, "="), entry);
	return search;
}

static bool is_below(const char *path, const char *directory, bool itself)
{
	const size_t length = strlen(directory);

	return !strncmp(path, directory, length) && (path[length] == '/' || (itself && !path[length]));
}

/* The first directory that this path is in, or the directory itself; `count`: none. */
static size_t directory_of(const struct search *search, const char *path, bool itself)
{
	size_t i = 0;

	while (i < search->count && !(path && is_below(path, search->directories[i], itself)))
		i++;
	return i;
}

static void note_use(struct search *search, const char *path)
{
	const size_t i = directory_of(search, path, false);

	if (i < search->count)
		search->used[i] = true;
}

static void note_uses(struct search *search, const struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++)
		if (start_call__opens(&start->calls[i]) && !start_call__errno(&start->calls[i]))
			note_use(search, start->calls[i].path);
	search->uses_known = true;
}

static bool looks_up(const char *name)
{
	static const char *const names[] = { "open", "openat", "stat", "newfstatat", "access", "faccessat",
					     "faccessat2", "statx", "readlink", "readlinkat", NULL };

	return text__is_any(name, names);
}

/* What calls of these names that failed so, 0: in any way, take on the clock: so many. */
static void add_failed(struct search *search, const struct run_subject *subject, bool (*is_asked)(const char *name),
		       uint32_t error, uint64_t *count)
{
	const struct bill *bill = subject->run->bill;

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];

		if (row->kind != BILL_CALL || !row->error || (error && row->error != error) ||
		    !is_asked(syscall_name(row->call_abi, row->call_nr)))
			continue;
		*count += row->count;
		search->ns += run_subject__untraced(subject, (double)row->wall_ns);
		search->least += run_subject__wall(subject, row);
	}
}

/* Of the look-ups of ld.so that failed in the first image: the part along LD_LIBRARY_PATH. */
static double part_of_variable(const struct run_subject *subject)
{
	const struct start_subject start = {
		.run = subject->run, .start = subject->run->start, .environment = subject->environment
	};
	uint64_t failed = 0, of_variable = 0;

	for (size_t i = 0; search_list__is_known(&start) && i < start.start->call_count; i++) {
		const struct start_call *call = &start.start->calls[i];

		if (!start_call__is_failed_search(call) || !call->path)
			continue;
		failed++;
		of_variable += search_list__of(&start, call) == SEARCH_OF_VARIABLE;
	}
	return failed ? (double)of_variable / (double)failed : 0;
}

/* How much of them is for LD_LIBRARY_PATH; 0: not known. */
static double part_of(struct search *search, const struct run_subject *subject)
{
	const struct run *run = subject->run;

	if (!run->start || run->start->missed)
		return 0;
	note_uses(search, run->start);
	return part_of_variable(subject);
}

/* ld.so, of all programs. Its time is divided by calls. */
static void look_by_ldso(struct search *search, const struct run_subject *subject)
{
	const struct run *run = subject->run;
	uint64_t failed = 0, calls = 0;
	double part;

	if (!run__has(run, HAS_ACTORS) || !run->tree_times)
		return;
	for (size_t i = 0; i < run->table.count; i++) {
		calls += run->table.rows[i].calls[ACTOR_LDSO];
		if (looks_up(run->table.rows[i].name))
			search->failed += run->table.rows[i].errors[ACTOR_LDSO];
	}
	part = part_of(search, subject);
	if (part < OF_FAILURES_LEAST || !calls)
		part = 0;
	add_failed(search, subject, looks_up, 0, &failed);
	search->failed = search->calls = (uint64_t)(part * (double)search->failed);
	search->least *= failed ? (double)search->failed / (double)failed : 0;
	search->most = run_subject__untraced(subject, (double)tree_times__wall(run->tree_times, TREE_LDSO));
	search->ns = calls ? search->most * (double)search->failed / (double)calls : 0;
}

static bool executes(const char *name)
{
	static const char *const names[] = { "execve", "execveat", NULL };

	return text__is_any(name, names);
}

/* Programs that are executed by name, of all processes. */
static void look_by_exec(struct search *search, const struct run_subject *subject)
{
	const struct run *run = subject->run;

	add_failed(search, subject, executes, ENOENT, &search->failed);
	search->calls = search->failed;
	for (size_t i = 0; i < run->exe_count; i++)
		note_use(search, run->exes[i].path);
	search->uses_known = true;
}

/*
 * The first image: what fails, and what looks into directories in vain; with what follows without a path of its own.
 * What the command is to work on is no search.
 */
static void look_in_start(struct search *search, const struct run_subject *subject)
{
	const struct start *start = subject->run->start;
	uint64_t failed = 0;
	bool is_search = false;

	note_uses(search, start);
	for (size_t i = 0; i + 1 < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];
		const size_t at = directory_of(search, call->path, true);

		failed += call->path && start_call__errno(call);
		if (call->path)
			is_search = at < search->count && (start_call__errno(call) || !search->used[at]) &&
				    !run_subject__is_argument(subject, call->path);
		if (!is_search)
			continue;
		search->calls++;
		search->failed += start_call__errno(call) != 0;
		search->least += call->ns == ABSENT ? 0 : run_subject__untraced(subject, (double)call->ns);
		search->ns += run_subject__untraced(
			subject, fmin((double)(start->calls[i + 1].begin_ns - call->begin_ns), STEP_NS_MOST));
	}
	if (search->calls < CALLS_LEAST && (double)search->failed < OF_FAILURES_LEAST * (double)failed)
		search->calls = search->failed = 0;
}

/* What others leave of the CPUs says nothing about the search. */
static bool is_evident(const struct search *search, const struct run_subject *subject)
{
	return (search->failed >= FAILURES_LEAST || search->calls >= CALLS_LEAST) &&
	       search->ns >= SHARE_LEAST * run_subject__busy(subject);
}

static void look(struct search *search, const struct run_subject *subject)
{
	const struct start *start = subject->run->start;
	const bool is_path = !strcmp(search->name, "PATH");

	if (!strcmp(search->name, "LD_LIBRARY_PATH"))
		look_by_ldso(search, subject);
	else if (is_path)
		look_by_exec(search, subject);
	search->by_looks = is_path && !is_evident(search, subject);
	if (search->by_looks)
		search->calls = search->failed = search->ns = search->least = 0;
	if ((search->by_looks || !search->calls) && strcmp(search->name, "LD_LIBRARY_PATH") && start && !start->missed)
		look_in_start(search, subject);
	search->most = fmax(search->ns, search->most);
}

static size_t used_of(const struct search *search)
{
	size_t used = 0;

	for (size_t i = 0; i < search->count; i++)
		used += search->used[i];
	return used;
}

/* The directories that are used, in their order; then, if asked for, the others. To be freed. */
static char *value_of(const struct search *search, bool others)
{
	char *value = text__of("%s", "");

	for (int rest = 0; rest <= others; rest++)
		for (size_t i = 0; i < search->count; i++)
			if (search->used[i] != rest)
				text__replace(&value, "%s%s%s", value, *value ? ":" : "", search->directories[i]);
	return value;
}

/* False: nothing is known that would make it shorter. */
static bool advise(const struct search *search, struct advice *advice)
{
	const size_t used = used_of(search);
	const bool is_path = !strcmp(search->name, "PATH");
	autofree char *first = value_of(search, false), *all = value_of(search, true);

	if (search->by_looks) {
		advice->action = text__of("leave directories that are not needed out of PATH: each of them is "
					  "looked into");
		advice->tried = text__of("no: what PATH is needed for is not known");
		return true;
	}
	if (is_path && (!used || !strncmp(getenv("PATH") ? getenv("PATH") : "", first, strlen(first))))
		return false;
	if (is_path) {
		advice->action = text__of("put the directories that programs are found in first in PATH: %s", first);
		advice->way = text__of("PATH=%s", all);
	} else if (used) {
		advice->action = text__of("name only the directories that are used in %s: %s", search->name, first);
		advice->way = text__of("%s=%s", search->name, first);
	} else {
		advice->action = text__of("leave %s out (env -u %s), or name only directories that are used in it",
					  search->name, search->name);
		advice->way = text__copy(search->name);
	}
	return true;
}

/* ", none of which is used"; to be freed. */
static char *uses_of(const struct search *search)
{
	const size_t used = used_of(search);

	if (!search->uses_known || search->by_looks)
		return text__of("%s", "");
	return used ? text__of(", %zu of which %s used", used, used == 1 ? "is" : "are")
		    : text__of("%s", ", none of which is used");
}

static char *evidence_of(const struct search *search, const struct run_subject *subject)
{
	autofree char *share = run_subject__share(subject, search->ns), *uses = uses_of(search);

	if (search->failed == search->calls)
		return text__of("%s has %zu directories%s: %" PRIu64 " look-ups along them fail and take %s.",
				search->name, search->count, uses, search->failed, share);
	return text__of("%s has %zu directories%s: %" PRIu64 " calls along them (%" PRIu64 " fail) take %s.",
			search->name, search->count, uses, search->calls, search->failed, share);
}

bool rule__r02_search(const struct run_subject *subject, struct advice *advice)
{
	struct search most = { 0 };
	bool found;

	for (char *const *entry = subject->environment; entry && *entry; entry++) {
		struct search search = run_subject__has_plain_name(*entry) ? search_of(*entry) : (struct search){ 0 };

		if (search.name)
			look(&search, subject);
		if (search.name && is_evident(&search, subject) && search.ns > most.ns) {
			release(&most);
			most = search;
		} else {
			release(&search);
		}
	}
	found = most.name && advise(&most, advice);
	if (found) {
		advice->evidence = evidence_of(&most, subject);
		advice->predicted_ns = estimate__of(most.ns);
		estimate__widen(&advice->predicted_ns, most.least, most.most);
	}
	release(&most);
	return found;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_findings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"

/* Answers that only the process itself can change. */
static bool asks_who(const struct start_call *call)
{
	static const char *const names[] = { "getuid", "geteuid", "getgid", "getegid", "getpid",
					     "getppid", "gettid", "uname", NULL };

	return start_call__is_any(call, names);
}

/* A file that is opened once more may have to be read once more; one that is missing, not. */
static bool is_question(const struct start_call *call)
{
	if (!call->returned || call->denied)
		return false;
	return asks_who(call) || start_call__asks(call) ||
	       (start_call__opens(call) && call->path && start_call__errno(call));
}

/* Numbers among the arguments count, such as modes and flags; buffers may lie anywhere. */
static bool same_arguments(const struct start_call *a, const struct start_call *b)
{
	enum { NUMBERS = 1 << 16 };

	for (int i = 0; i < CALL_ARGUMENTS; i++) {
		if (a->known[i] != b->known[i])
			return false;
		if ((a->arguments[i] < NUMBERS || b->arguments[i] < NUMBERS) && a->arguments[i] != b->arguments[i])
			return false;
	}
	return true;
}

static bool is_same(const struct start_call *a, const struct start_call *b)
{
	if (a->result != b->result || strcmp(a->name, b->name) != 0 || a->path_cut || b->path_cut)
		return false;
	/* What the one knows, the other does not. */
	if (start_call__by_ldso(a) != start_call__by_ldso(b))
		return false;
	/* Without arguments the registers hold what they happen to. */
	if (asks_who(a))
		return true;
	/* A relative path may be of another directory each time. */
	return a->path && b->path && *a->path == '/' && !strcmp(a->path, b->path) && same_arguments(a, b);
}

static uint64_t took(const struct start_call *call)
{
	return call->ns == ABSENT ? 0 : call->ns;
}

static void add_question(struct start_findings *findings, const struct start_call *call)
{
	for (size_t i = 0; i < findings->repeat_count; i++) {
		struct start_repeat *repeat = &findings->repeats[i];

		if (!is_same(repeat->call, call))
			continue;
		repeat->times++;
		repeat->ns += took(call);
		return;
	}
	findings->repeats = checked_grow(findings->repeats, findings->repeat_count, sizeof(*findings->repeats));
	findings->repeats[findings->repeat_count++] = (struct start_repeat){ call, 1, took(call) };
}

static void add_odd(struct start_odd *odd, const struct start_call *call)
{
	odd->calls++;
	odd->ns += took(call);
}

static int by_times(const void *left, const void *right)
{
	const struct start_repeat *a = left, *b = right;

	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	return a->call < b->call ? -1 : a->call > b->call;
}

static bool reads_byte(const struct start_call *call)
{
	return start_call__is(call, "read") && call->known[2] && call->arguments[2] == 1;
}

/*
 * A buffer would save it: the one before has read from the same file, too. One byte alone may be all there is, a
 * token in a pipe, and take long because it waits.
 */
static bool follows_byte(const struct start *start, size_t index)
{
	const struct start_call *call = &start->calls[index], *before = index ? call - 1 : NULL;

	return before && reads_byte(before) && before->returned && before->result == 1 &&
	       before->known[0] && call->known[0] && before->arguments[0] == call->arguments[0];
}

struct start_findings start_findings__of(const struct start *start)
{
	struct start_findings findings = { 0 };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (is_question(call))
			add_question(&findings, call);
		else if (reads_byte(call) && follows_byte(start, i))
			add_odd(&findings.one_byte, call);
		else if (start_call__is(call, "lseek") && call->known[1] && call->known[2] &&
			 !call->arguments[1] && call->arguments[2] == SEEK_CUR)
			add_odd(&findings.seeks, call);
	}
	if (findings.repeat_count)
		qsort(findings.repeats, findings.repeat_count, sizeof(*findings.repeats), by_times);
	while (findings.repeat_count && findings.repeats[findings.repeat_count - 1].times < 2)
		findings.repeat_count--;
	return findings;
}

void start_findings__free(struct start_findings *findings)
{
	free(findings->repeats);
	*findings = (struct start_findings){ 0 };
}

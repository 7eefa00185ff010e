// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/start/start_parts.h"
#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

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

static bool moves(const struct start_call *call)
{
	static const char *const names[] = { "chdir", "fchdir", NULL };

	return start_call__is_any(call, names);
}

/* Questions, each once. */
struct asked {
	struct texts texts; /* numbers of what was asked; those of `list` */
	struct start_repeat *list; /* owned; it becomes that of the findings */
	size_t count;
	bool has_moved; /* to another directory: the same relative path may be another file from then on */
};

/*
 * What is asked, who asks, and the answer; to be freed; NULL: that cannot be compared. Numbers among the arguments
 * count, such as modes and flags; buffers may lie anywhere, and so may what the registers hold without arguments.
 */
static char *question_of(const struct asked *asked, const struct start_call *call)
{
	enum { NUMBERS = 1 << 16 };
	char *text = text__of("%s %d %" PRId64, call->name, start_call__by_ldso(call), call->result);

	if (asks_who(call))
		return text;
	/* A relative path is of the working directory, unless the first argument is a descriptor. */
	if (!call->path || call->path_cut ||
	    (*call->path != '/' && (asked->has_moved || call->arguments[0] < NUMBERS))) {
		free(text);
		return NULL;
	}
	for (int i = 0; i < CALL_ARGUMENTS; i++) {
		const uint64_t argument = call->arguments[i];

		text__replace(&text, "%s %d:%" PRIu64, text, call->known[i], argument < NUMBERS ? argument : NUMBERS);
	}
	text__replace(&text, "%s %s", text, call->path);
	return text;
}

static uint64_t took(const struct start_call *call)
{
	return call->ns == ABSENT ? 0 : call->ns;
}

static void add_question(struct asked *asked, const struct start_call *call)
{
	autofree char *text = question_of(asked, call);
	uint64_t number;

	if (!text)
		return;
	number = texts__number(&asked->texts, text);
	if (number == asked->count) {
		asked->list = checked_grow(asked->list, asked->count, sizeof(*asked->list));
		asked->list[asked->count++] = (struct start_repeat){ .call = call };
	}
	asked->list[number].times++;
	asked->list[number].ns += took(call);
}

static void add_odd(struct start_odd *odd, const struct start_call *call)
{
	odd->calls++;
	odd->ns += took(call);
}

int start_repeats__by_times(const void *left, const void *right)
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
	struct asked asked = { 0 };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		asked.has_moved |= moves(call);
		if (is_question(call))
			add_question(&asked, call);
		else if (reads_byte(call) && follows_byte(start, i))
			add_odd(&findings.one_byte, call);
		else if (start_call__is(call, "lseek") && call->known[1] && call->known[2] &&
			 !call->arguments[1] && call->arguments[2] == SEEK_CUR)
			add_odd(&findings.seeks, call);
	}
	texts__release(&asked.texts);
	findings.repeats = asked.list;
	findings.repeat_count = asked.count;
	if (findings.repeat_count)
		qsort(findings.repeats, findings.repeat_count, sizeof(*findings.repeats), start_repeats__by_times);
	while (findings.repeat_count && findings.repeats[findings.repeat_count - 1].times < 2)
		findings.repeat_count--;
	return findings;
}

void start_findings__free(struct start_findings *findings)
{
	free(findings->repeats);
	*findings = (struct start_findings){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* R4: a program that takes many operands is started once for each. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/checksum.h"
#include "base/text.h"

enum { STARTS_LEAST = 20 };
static const double SHARE_LEAST = 0.1, DIFFER_LEAST = 0.9, STARTING_LEAST = 0.5;

/* They do the same with each operand, and print nothing that somebody may wait for. */
static const char *const takers[] = { "chmod", "chown", "chgrp", "touch", "rm", "rmdir", "mkdir", "setfacl", "chattr",
				      NULL };

/* All but the last argument is the same. */
static bool each_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2])
{
	const enum starter starter = starter__of(subject, row);
	const char *name = text__file_name(row->arguments[0]);

	if (row->argument_count < 2 || !execution__is_whole(row))
		return false;
	if (!text__is_any(name, takers) ||
	    (starter != STARTER_FIND && starter != STARTER_XARGS && !starter__is_shell(starter)))
		return false;
	key[0] = (uint64_t)row->exe << 32 | row->parent_exe;
	key[1] = CHECKSUM_BEGIN ^ row->line;
	for (size_t i = 0; i + 1 < row->argument_count; i++)
		key[1] = checksum__add(key[1], row->arguments[i], strlen(row->arguments[i]) + 1);
	return true;
}

/* The position of an argument from `from` on; the number of arguments: there is none. */
static size_t argument_at(const struct execution *row, const char *const *names, size_t from)
{
	while (from < row->argument_count && !text__is_any(row->arguments[from], names))
		from++;
	return from;
}

/* "-exec PROGRAM ... {} ;", and no test or action behind it that goes by how it ended. */
static bool is_each_of_find(const struct execution *find, const struct execution *row)
{
	static const char *const actions[] = { "-exec", NULL }, *const end[] = { ";", NULL };
	const size_t at = argument_at(find, actions, 0), last = argument_at(find, end, at);

	return last + 1 == find->argument_count && at + 2 < last && !strcmp(find->arguments[last - 1], "{}") &&
	       last - at - 1 == row->argument_count && !strcmp(find->arguments[at + 1], row->arguments[0]);
}

/* Options that make xargs start this program for each operand, and not several at once. */
static bool is_each_of_xargs(const struct execution *xargs, const struct execution *row)
{
	bool each = false;

	for (size_t i = 1; i < xargs->argument_count && strcmp(xargs->arguments[i], row->arguments[0]); i++) {
		if (*xargs->arguments[i] != '-')
			continue;
		if (!strncmp(xargs->arguments[i], "-P", 2) || !strncmp(xargs->arguments[i], "--max-procs", 11))
			return false;
		each |= xargs->arguments[i][1] && strchr("nL", xargs->arguments[i][1]);
	}
	return each;
}

/* Did one that was started so start these? */
static bool has_cure(const struct run_subject *subject, const struct execution *row)
{
	const struct executions *executions = subject->run->executions;
	const enum starter starter = starter__of(subject, row);

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *parent = &executions->rows[i];

		if (parent->exe != row->parent_exe || !execution__is_whole(parent))
			continue;
		if (starter == STARTER_FIND ? is_each_of_find(parent, row) : is_each_of_xargs(parent, row))
			return true;
	}
	return starter__is_shell(starter);
}

/* How much of what the program takes is its start, which more operands share. */
static double starting_of(const struct run_subject *subject, uint32_t exe)
{
	const struct bill *bill = subject->run->bill;
	double starting = 0, all = 0;

	for (size_t i = 0; i < bill->count; i++) {
		const double ns = run_subject__wall(subject, &bill->rows[i]);

		if (bill->rows[i].exe != exe)
			continue;
		all += ns;
		starting += bill->rows[i].kind == BILL_START ? ns : 0;
	}
	return all > 0 ? starting / all : 0;
}

static char *action_for(enum starter starter, const struct execution *row)
{
	const char *name = text__file_name(row->arguments[0]);
	autofree char *words = NULL;

	if (starter == STARTER_XARGS)
		return text__of("let xargs pass many operands to one %s: without -n and -L", name);
	if (starter != STARTER_FIND)
		return text__of("start %s once for all of them: it takes many operands", name);
	words = text__copy(name);
	for (size_t i = 1; i + 1 < row->argument_count; i++)
		text__replace(&words, "%s %s", words, row->arguments[i]);
	return text__of("end -exec with + instead of ;, which passes many files to one %s: -exec %s {} +", name,
			strpbrk(words, "\n'\"\\$*?;|&()<>`") ? "..." : words);
}

bool rule__r04_each(const struct run_subject *subject, struct advice *advice)
{
	const struct execution_group each = execution_group__largest(subject, each_key);
	const struct execution *row = each.first;
	autofree char *place = NULL, *share = NULL;

	if (!row || each.spared.count < STARTS_LEAST || (double)each.rows < DIFFER_LEAST * (double)each.spared.count ||
	    !spared__reaches(&each.spared, subject, SHARE_LEAST) ||
	    starting_of(subject, row->exe) < STARTING_LEAST || !has_cure(subject, row))
		return false;
	share = run_subject__share(subject, spared__predict(&each.spared, subject, advice));
	place = execution__place(subject, row);
	advice->evidence = text__of("%s%s%s%s starts %s %" PRIu64 " times, once for each operand: %s.",
				    run_subject__name(subject, row->parent_exe), place ? " (" : "", place ? place : "",
				    place ? ")" : "", text__file_name(row->arguments[0]), each.spared.count, share);
	advice->action = action_for(starter__of(subject, row), row);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* R4: a program that takes many operands, or a shell that could go through them, is started once for each. */
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

/* "sh -c SCRIPT NAME OPERAND": a shell whose script gets the operand, and could get many. */
static bool is_shell_for_operand(const struct execution *row)
{
	return row->argument_count == 5 && run_subject__names_shell(text__file_name(row->arguments[0])) &&
	       !strcmp(row->arguments[1], "-c");
}

/* All but the last argument is the same. */
static bool each_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2])
{
	const enum starter starter = starter__of(subject, row);
	const bool for_each = starter == STARTER_FIND || starter == STARTER_XARGS;

	if (row->argument_count < 2 || !execution__is_whole(row))
		return false;
	if (!(text__is_any(text__file_name(row->arguments[0]), takers) && (for_each || starter__is_shell(starter))) &&
	    !(is_shell_for_operand(row) && for_each))
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

/* Options that make xargs start this program for each operand, and not several at once: "-n1", "-0", "-0n1". */
static bool is_each_of_xargs(const struct execution *xargs, const struct execution *row)
{
	bool each = false;

	for (size_t i = 1; i < xargs->argument_count && strcmp(xargs->arguments[i], row->arguments[0]); i++) {
		const char *option = xargs->arguments[i];

		if (*option != '-')
			continue;
		if (!strncmp(option, "--max-procs", 11))
			return false;
		option += 1 + strspn(option + 1, "0rtpxo"); /* these take no value */
		if (*option == 'P')
			return false;
		each |= *option && strchr("nL", *option);
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

/* How much of what the program takes is its start, which more operands share; or all but its own forks. */
static double part_of(const struct run_subject *subject, uint32_t exe, bool only_start)
{
	const struct bill *bill = subject->run->bill;
	double part = 0, all = 0;

	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		const double ns = row->exe == exe ? run_subject__wall(subject, row) : 0;

		all += ns;
		if (row->kind == BILL_START || (!only_start && row->executed && row->kind != BILL_FORK))
			part += ns;
	}
	return all > 0 ? part / all : 0;
}

static char *action_for(enum starter starter, const struct execution *row)
{
	const char *name = text__file_name(row->arguments[0]);
	autofree char *words = NULL;

	if (is_shell_for_operand(row))
		return starter == STARTER_XARGS
			       ? text__of("let one %s go through many operands: xargs %s -c 'for x; do ...; done' %s, "
					  "without -n and -L", name, name, name)
			       : text__of("let one %s go through many files: -exec %s -c 'for x; do ...; done' %s {} +",
					  name, name, name);
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

/*
 * What one start for many operands spares: of a shell at least its starts, at most all but what its script forks.
 * Returns 0 if that is little.
 */
static double predict(const struct run_subject *subject, const struct execution_group *each, struct advice *advice)
{
	const uint32_t exe = each->first->exe;
	const bool of_shell = is_shell_for_operand(each->first);
	const double starting = part_of(subject, exe, true);
	struct spared least = { 0 }, most = { 0 };

	spared__add(&least, subject, &each->all, of_shell ? starting : 1);
	if ((!of_shell && starting < STARTING_LEAST) || !spared__reaches(&least, subject, SHARE_LEAST))
		return 0;
	spared__predict(&least, subject, advice);
	if (of_shell) {
		spared__add(&most, subject, &each->all, part_of(subject, exe, false));
		spared__widen(&most, subject, advice->predicted_ns.low, advice);
	}
	return advice->predicted_ns.value;
}

bool rule__r04_each(const struct run_subject *subject, struct advice *advice)
{
	const struct execution_group each = execution_group__largest(subject, each_key);
	const struct execution *row = each.first;
	autofree char *place = NULL, *share = NULL;
	double ns;

	if (!row || each.spared.count < STARTS_LEAST || (double)each.rows < DIFFER_LEAST * (double)each.spared.count ||
	    !has_cure(subject, row))
		return false;
	ns = predict(subject, &each, advice);
	if (ns <= 0)
		return false;
	share = run_subject__share(subject, ns);
	place = execution__place(subject, row);
	advice->evidence = text__of("%s%s%s%s starts %s %" PRIu64 " times, once for each operand: %s%s.",
				    run_subject__name(subject, row->parent_exe), place ? " (" : "", place ? place : "",
				    place ? ")" : "", text__file_name(row->arguments[0]), each.spared.count,
				    is_shell_for_operand(row) ? "to start it takes " : "", share);
	advice->action = action_for(starter__of(subject, row), row);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* R3: a program is started again and again with the same arguments, to say the same. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { STARTS_LEAST = 5 };
static const double SHARE_LEAST = 0.1;

/* What an argument of that name leads to is another file each time. */
static bool names_descriptor(const struct execution *row)
{
	static const char *const names[] = { "/dev/fd/", "/dev/stdin", "/proc/", NULL };

	for (size_t i = 1; i < row->argument_count; i++)
		if (text__holds_any(row->arguments[i], names))
			return true;
	return false;
}

/*
 * Its output is what it is started for, is always the same, and it depends on no input. All that make takes output of
 * are functions $(shell): a program that prints nothing there has nothing to say.
 */
static bool is_again(const struct run_subject *subject, const struct execution *row)
{
	const bool is_silent = !row->same_output && starter__of(subject, row) == STARTER_MAKE;

	return row->count >= STARTS_LEAST && row->argument_count && execution__is_known(row) && !row->fed &&
	       row->captured == row->count && (row->same_output == row->count || is_silent) && !names_descriptor(row);
}

/* Is it started once by each execution of a command that is executed again: "sh -c 'uname -m | sed s/x//'"? */
static bool is_part_of_other(const struct run_subject *subject, const struct execution *row)
{
	const struct executions *executions = subject->run->executions;

	for (size_t i = 0; row->argument_count && row->same_output == row->count && i < executions->count; i++) {
		const struct execution *other = &executions->rows[i];

		if (other->exe == row->parent_exe && other->count == row->count && other->argument_count == 3 &&
		    !strcmp(other->arguments[1], "-c") &&
		    strstr(other->arguments[2], text__file_name(row->arguments[0])) && is_again(subject, other))
			return true;
	}
	return false;
}

static char *action_for(const struct run_subject *subject, const struct execution *row)
{
	const enum starter starter = starter__of(subject, row);

	if (starter == STARTER_MAKE)
		return text__of("let make run it once: NAME := $(shell ...); = and ?= run it again at each use");
	if (starter__is_shell(starter))
		return text__of("run it once and keep its output in a variable (exported, if other shells need it)");
	return text__of("run it once and keep what it says");
}

bool rule__r03_again(const struct run_subject *subject, struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	autofree char *words = NULL, *place = NULL, *share = NULL, *others = NULL;
	const struct execution *first = NULL;
	struct spared spared = { 0 };
	bool names_part = true;
	uint64_t commands = 0;

	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];
		const bool is_part = is_part_of_other(subject, row);

		if (!is_part && !is_again(subject, row))
			continue;
		spared__add(&spared, subject, row, 1 - 1 / (double)row->count);
		commands++;
		if (first && (is_part || !names_part))
			continue;
		first = row;
		names_part = is_part;
	}
	if (!first || !spared__reaches(&spared, subject, SHARE_LEAST))
		return false;
	share = run_subject__share(subject, spared__predict(&spared, subject, advice));
	words = execution__words(first);
	place = execution__place(subject, first);
	others = commands > 1 ? text__of(", with %s", quantity__count(commands - 1, "more such command",
								      "more such commands").text)
			      : text__of("%s", "");
	advice->evidence = text__of("%s runs %" PRIu64 " times with the same arguments%s%s%s%s: again and again that "
				    "takes %s.", words, first->count, first->same_output ? " and output" : "",
				    place ? ", at " : "", place ? place : "", others, share);
	advice->action = action_for(subject, first);
	return true;
}

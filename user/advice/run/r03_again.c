// SPDX-License-Identifier: GPL-2.0-or-later
/* R3: a program is started again and again with the same arguments, to say the same. */
#include <inttypes.h>
#include <math.h>
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

/* Its output is what it is started for, is always the same, and it depends on no input. */
static bool is_again(const struct execution *row)
{
	return row->count >= STARTS_LEAST && row->argument_count && execution__is_known(row) && !row->fed &&
	       row->captured == row->count && row->same_output == row->count && !names_descriptor(row);
}

/* What make has started in a $(shell) that executes it: itself, or a shell that names it; NULL: make has not. */
static const struct execution *of_make(const struct run_subject *subject, const struct execution *row)
{
	const struct executions *executions = subject->run->executions;
	const char *name = text__file_name(row->arguments[0]);

	if (starter__of(subject, row) == STARTER_MAKE)
		return row;
	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *shell = &executions->rows[i];

		if (shell->exe == row->parent_exe && starter__of(subject, shell) == STARTER_MAKE &&
		    shell->argument_count && strstr(shell->arguments[shell->argument_count - 1], name))
			return shell;
	}
	return NULL;
}

/* At most, the shell around it and what that starts as often go with it: it is not known whether they say the same. */
static void widen(const struct run_subject *subject, const struct execution *first, const struct execution *shell,
		  struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	struct advice most = { 0 };
	struct spared all = { 0 };

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (row == shell || (row->parent_exe == shell->exe && row->count == first->count))
			spared__add(&all, subject, row, 1 - 1 / (double)row->count);
	}
	spared__predict(&all, subject, &most);
	estimate__widen(&advice->predicted_ns, advice->predicted_ns.low,
			fmin(advice->predicted_ns.high + most.predicted_ns.high, subject->wall_ns));
}

static char *action_for(const struct run_subject *subject, const struct execution *row)
{
	if (of_make(subject, row))
		return text__of("let make run it once: NAME := $(shell ...); = and ?= run it again at each use");
	if (starter__is_shell(starter__of(subject, row)))
		return text__of("run it once and keep its output in a variable (exported, if other shells need it)");
	return text__of("run it once and keep what it says");
}

bool rule__r03_again(const struct run_subject *subject, struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	autofree char *words = NULL, *place = NULL, *share = NULL, *others = NULL;
	const struct execution *first = NULL, *shell;
	struct spared spared = { 0 };
	uint64_t commands = 0;

	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (!is_again(row))
			continue;
		spared__add(&spared, subject, row, 1 - 1 / (double)row->count);
		commands++;
		first = first ? first : row;
	}
	if (!first || !spared__reaches(&spared, subject, SHARE_LEAST))
		return false;
	share = run_subject__share(subject, spared__predict(&spared, subject, advice));
	words = execution__words(first);
	shell = of_make(subject, first);
	if (shell && shell != first)
		widen(subject, first, shell, advice);
	place = execution__place(subject, shell ? shell : first);
	others = commands > 1 ? text__of(", with %s", quantity__count(commands - 1, "more such command",
								      "more such commands").text)
			      : text__of("%s", "");
	advice->evidence = text__of("%s runs %" PRIu64 " times with the same arguments and output%s%s%s: again and "
				    "again that takes %s.", words, first->count, place ? ", at " : "",
				    place ? place : "", others, share);
	advice->action = action_for(subject, first);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* R3: a program is started again and again with the same arguments, to say the same. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/memory.h"
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

/* Shells of $(shell) in which something runs again. */
struct shells {
	const struct execution **list; /* owned */
	size_t count;
};

static void add_shell(struct shells *shells, const struct run_subject *subject, const struct execution *row)
{
	const struct execution *shell = of_make(subject, row);

	if (!shell || shell == row)
		return;
	shells->list = checked_grow(shells->list, shells->count, sizeof(*shells->list));
	shells->list[shells->count++] = shell;
}

/* Is it one of them, or what that starts as often? Whether these say the same, too, is not known. */
static bool goes_with(const struct execution *row, const struct shells *shells)
{
	for (size_t i = 0; row->argument_count && i < shells->count; i++) {
		const struct execution *shell = shells->list[i];

		if (row == shell || (row->parent_exe == shell->exe && row->count == shell->count &&
				     strstr(shell->arguments[shell->argument_count - 1],
					    text__file_name(row->arguments[0]))))
			return true;
	}
	return false;
}

/* At most, all that makes up these functions is spared. */
static void widen(const struct run_subject *subject, const struct shells *shells, struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	struct spared all = { 0 };

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (is_again(row) || goes_with(row, shells))
			spared__add(&all, subject, row, 1 - 1 / (double)row->count);
	}
	spared__widen(&all, subject, advice->predicted_ns.low, advice);
}

static char *action_for(const struct run_subject *subject, const struct execution *row)
{
	if (of_make(subject, row))
		return text__of("let make run it once: NAME := $(shell ...); = and ?= run it again at each use");
	if (starter__is_shell(starter__of(subject, row)))
		return text__of("run it once and keep its output in a variable (exported, if other shells need it)");
	return text__of("run it once and keep what it says");
}

static void speak(const struct run_subject *subject, const struct execution *first, uint64_t commands, double ns,
		  struct advice *advice)
{
	const struct execution *of = of_make(subject, first);
	autofree char *words = execution__words(first), *share = run_subject__share(subject, ns);
	autofree char *place = execution__place(subject, of ? of : first), *others = NULL;

	others = commands > 1 ? text__of(", with %s", quantity__count(commands - 1, "more such command",
								      "more such commands").text)
			      : text__of("%s", "");
	advice->evidence = text__of("%s runs %" PRIu64 " times with the same arguments and output%s%s%s: again and "
				    "again that takes %s.", words, first->count, place ? ", at " : "",
				    place ? place : "", others, share);
	advice->action = action_for(subject, first);
}

bool rule__r03_again(const struct run_subject *subject, struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	const struct execution *first = NULL;
	struct shells shells = { 0 };
	struct spared spared = { 0 };
	uint64_t commands = 0;
	bool found;

	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (!is_again(row))
			continue;
		spared__add(&spared, subject, row, 1 - 1 / (double)row->count);
		add_shell(&shells, subject, row);
		commands++;
		first = first ? first : row;
	}
	found = first && spared__reaches(&spared, subject, SHARE_LEAST);
	if (found) {
		speak(subject, first, commands, spared__predict(&spared, subject, advice), advice);
		if (shells.count)
			widen(subject, &shells, advice);
	}
	free(shells.list);
	return found;
}

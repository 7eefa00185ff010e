// SPDX-License-Identifier: GPL-2.0-or-later
/* Who called the code that faulted, or that made a system call: call stacks, a line for each frame. */
#include <math.h>
#include <stdlib.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/stack_sums.h"
#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/words.h"

enum { MOST_CALLS = 12 }; /* on a screen */

struct stack_view {
	const struct run *run;
	struct phase_totals totals;
	struct stack_sums sums;
};

/* Each line of a stack has a frame; only the first has numbers. */
struct stack_line {
	struct cell us, faults, copies, frame;
};

static const struct column stack_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct stack_line, us), IF_ANY },
	{ "faults", COLUMN_NUMBER, CELL_OF(struct stack_line, faults) },
	{ "copies", COLUMN_NUMBER, CELL_OF(struct stack_line, copies) },
	{ "call stack", COLUMN_TEXT, CELL_OF(struct stack_line, frame) },
};

static void add_numbers(struct stack_line *line, const struct stack_view *view, const struct stack_sum *sum)
{
	const double children = view->totals.children;

	line->us = cell__us(sum->ns > 0 ? sum->ns / children : NAN);
	line->faults = cell__number(sum->faults / children, 2);
	line->copies = cell__number(sum->copies / children, 2);
}

static void add_text(struct table *table, const char *text)
{
	const struct stack_line line = { .frame = cell__text(text) };

	table__add(table, &line);
}

static void add_stack(struct table *table, const struct stack_view *view, const struct stack_sum *sum)
{
	const struct call_stack *stack = &view->run->anatomy->stacks->list[sum->stack];

	for (size_t i = 0; i < stack->frame_count; i++) {
		autofree char *frame = words__frame(view->run, stack, i);
		struct stack_line line = { .frame = cell__own(text__of("%s%s", i ? "  " : "", frame)) };

		if (!i)
			add_numbers(&line, view, sum);
		table__add(table, &line);
	}
	if (words__stack_end(stack->stop))
		add_text(table, words__stack_end(stack->stop));
}

static void add_sum(struct table *table, const struct stack_view *view, const struct stack_sum *sum, char *text)
{
	struct stack_line line;

	add_numbers(&line, view, sum);
	line.frame = cell__own(text);
	table__add(table, &line);
}

static void add_rest(struct table *table, const struct stack_view *view, size_t shown, const char *others)
{
	struct stack_sum rest = { 0 };

	for (size_t i = shown; i < view->sums.count; i++) {
		rest.faults += view->sums.list[i].faults;
		rest.copies += view->sums.list[i].copies;
		rest.ns += view->sums.list[i].ns;
	}
	if (shown < view->sums.count)
		add_sum(table, view, &rest, text__of("(%zu more stacks%s)", view->sums.count - shown, others));
}

static char *title_of(const struct run *run, uint32_t group, enum phase phase)
{
	static const char *const titles[PHASE_COUNT] = {
		[PHASE_CHILD] = "Call stacks of faults in the child, per child",
		[PHASE_PARENT] = "Call stacks of faults in the parent after the fork, per fork",
		[PHASE_EXEC] = "Call stacks of faults in the program executed, per process",
	};
	char *title = names__group(run, group, false);

	text__replace(&title, "%s: %s", titles[phase], title);
	return title;
}

/* System calls. */

struct call_line {
	struct cell calls, call, exe, frame;
};

static const struct column call_columns[] = {
	{ "calls", COLUMN_COUNT, CELL_OF(struct call_line, calls) },
	{ "system call", COLUMN_TEXT, CELL_OF(struct call_line, call) },
	{ "of", COLUMN_TEXT, CELL_OF(struct call_line, exe) },
	{ "call stack", COLUMN_TEXT, CELL_OF(struct call_line, frame) },
};

static void add_call_line(struct table *table, struct cell frame)
{
	const struct call_line line = { .frame = frame };

	table__add(table, &line);
}

static void add_call(struct table *table, const struct run *run, const struct stack_call *call)
{
	const struct call_stack *stack = call->stack == NO_STACK ? NULL : &run->anatomy->stacks->list[call->stack];
	struct call_line line = {
		cell__count(call->calls), cell__text(call->call), cell__exe(run, call->exe),
		stack ? cell__own(words__frame(run, stack, 0)) : cell__text("no call stack"),
	};

	table__add(table, &line);
	for (size_t i = 1; stack && i < stack->frame_count; i++) {
		autofree char *frame = words__frame(run, stack, i);

		add_call_line(table, cell__own(text__of("  %s", frame)));
	}
	if (stack && words__stack_end(stack->stop))
		add_call_line(table, cell__text(words__stack_end(stack->stop)));
}

struct table *report__calls_by_stack(const struct run *run, const struct report_options *options)
{
	const struct room room = room__of(options, 0, MOST_CALLS);
	const struct stacks *stacks = run->anatomy->stacks;
	struct table *table;
	uint64_t rest = 0;

	if (!stacks || !stacks->call_count)
		return NULL;
	table = table__new("System calls of the recorded processes by call stack, most calls first");
	table__keep_order(table);
	TABLE_COLUMNS(table, call_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < stacks->call_count; i++) {
		if (i < room.rows)
			add_call(table, run, &stacks->calls[i]);
		else
			rest += stacks->calls[i].calls;
	}
	if (rest || stacks->calls_left_out) {
		const struct call_line line = { .calls = cell__count(rest + stacks->calls_left_out),
						.frame = cell__own(text__of("(others%s)", room.others)) };

		table__add(table, &line);
	}
	return table;
}

struct table *report__stack_table(const struct run *run, uint32_t group, enum phase phase, struct room room)
{
	struct stack_view view = {
		.run = run,
		.totals = phase_totals__of(run, group, phase),
	};
	struct table *table;
	size_t most;

	if (!run->anatomy->stacks || !view.totals.children)
		return NULL;
	view.sums = stack_sums__of(run->anatomy, group, phase);
	most = view.sums.count < room.rows ? view.sums.count : room.rows;
	table = most ? table__titled(title_of(run, group, phase), NULL) : NULL;
	if (table) {
		table__keep_order(table);
		TABLE_COLUMNS(table, stack_columns, &view);
		table__rule(table);
		for (size_t i = 0; i < most; i++)
			add_stack(table, &view, &view.sums.list[i]);
		add_rest(table, &view, most, room.others);
		if (view.sums.without.faults > 0)
			add_sum(table, &view, &view.sums.without, text__of("no call stack"));
		table__rule(table);
		add_sum(table, &view, &view.sums.all, text__of("total, of the recorded faults"));
	}
	stack_sums__free(&view.sums);
	return table;
}

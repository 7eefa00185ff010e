// SPDX-License-Identifier: GPL-2.0-or-later
/* What was recorded of forks as it is saved, for programs: faults, call stacks, forks, bindings. */
#include "format/table.h"
#include "model/stacks/stacks.h"
#include "report/report_sections.h"
#include "report/saved_table.h"

struct table *report__samples(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Anatomy: recorded processes", run, saved_table__shape(&anatomy_shape, "sampling"),
			       run->anatomy, "samples");
}

static struct table *rows_of(const struct run *run, const char *title, const char *key)
{
	return saved_table__of(title, run, &anatomy_shape, run->anatomy, key);
}

struct table *report__anatomy_rows(const struct run *run, const struct report_options *options)
{
	return rows_of(run, "Anatomy: recorded faults", "anatomy");
}

struct table *report__fork_rows(const struct run *run, const struct report_options *options)
{
	return rows_of(run, "Forks", "fork_cost");
}

/* The layouts that bindings refer to, counted from 0. */
struct table *report__layout_rows(const struct run *run, const struct report_options *options)
{
	return rows_of(run, "Layouts of parents", "layouts");
}

struct table *report__binding_rows(const struct run *run, const struct report_options *options)
{
	return rows_of(run, "Bindings", "bindings");
}

struct table *report__symbol_rows(const struct run *run, const struct report_options *options)
{
	return rows_of(run, "Symbols that children bind again", "symbols");
}

static void add_frames(struct table *table, const struct run *run, size_t which)
{
	const struct shape *shape = saved_table__shape(&stacks_shape, "frames");
	const struct stacks *stacks = run->anatomy->stacks;
	const struct call_stack *stack = &stacks->list[which];

	for (size_t depth = 0; depth < stack->frame_count; depth++) {
		table__row(table);
		table__count(table, which);
		table__count(table, depth);
		saved_table__put(table, shape, run, &stacks->frames[stack->frames[depth]]);
		table__text(table, depth < stack->proven ? "yes" : "no");
		table__text(table, depth + 1 == stack->frame_count ? stack_stop_keys[stack->stop] : NULL);
	}
}

/* Frames that several stacks share are repeated in each. */
struct table *report__stack_frames(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;
	struct table *table = table__new("Call stacks");

	table__column(table, "stack", COLUMN_COUNT);
	table__column(table, "depth", COLUMN_COUNT);
	saved_table__add_columns(table, saved_table__shape(&stacks_shape, "frames"));
	table__column(table, "proven", COLUMN_TEXT);
	table__column(table, "stop", COLUMN_TEXT);
	for (size_t stack = 0; stacks && stack < stacks->count; stack++)
		add_frames(table, run, stack);
	return table;
}

struct table *report__stack_shares(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;

	return stacks ? saved_table__of("Faults by row and call stack", run, &stacks_shape, stacks, "shares") : NULL;
}

struct table *report__stack_calls(const struct run *run, const struct report_options *options)
{
	const struct stacks *stacks = run->anatomy->stacks;

	return stacks ? saved_table__of("System calls by call stack", run, &stacks_shape, stacks, "calls") : NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of strace -c, with what forktax knows besides. */
#include <math.h>

#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/run/call_list.h"
#include "report/run/run_report.h"

/* A system call, or all that are shown together. */
struct call_line {
	const struct syscall_row *row; /* NULL: all */
	uint64_t calls, timed_calls, errors, denied, ns;
	uint64_t of[ACTOR_COUNT];
	double seconds, mean_us;
};

/* What the table is about. */
struct call_table {
	struct call_line all;
	bool timed, untimed, denied;
	bool by_actor[ACTOR_COUNT]; /* the dynamic linker and the program; a kernel makes none */
};

/* Calls of a row without a longest one never returned: they have no time, not a time of zero. */
static bool has_times(const struct syscall_row *row)
{
	return row->max_ns != ABSENT && syscall_row__sum(row->calls);
}

static struct call_line line_of(const struct syscall_row *row)
{
	struct call_line line = {
		.row = row,
		.calls = syscall_row__sum(row->calls),
		.timed_calls = has_times(row) ? syscall_row__sum(row->calls) : 0,
		.errors = syscall_row__sum(row->errors),
		.denied = syscall_row__sum(row->denied),
		.ns = syscall_row__sum(row->time_ns),
	};

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		line.of[actor] = row->calls[actor];
	return line;
}

static void add_to_sum(struct call_line *sum, const struct call_line *line)
{
	sum->calls += line->calls;
	sum->timed_calls += line->timed_calls;
	sum->errors += line->errors;
	sum->denied += line->denied;
	sum->ns += line->ns;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum->of[actor] += line->of[actor];
}

static void finish_line(struct call_line *line)
{
	uint64_t returned = line->row ? line->calls : line->timed_calls;

	line->seconds = line->ns / 1e9;
	line->mean_us = line->timed_calls ? line->ns / returned / 1e3 : NAN;
}

static struct cell share_of_time(const void *subject, const void *row, int index)
{
	const struct call_table *calls = subject;

	return cell__percent(((const struct call_line *)row)->ns, calls->all.ns);
}

static struct cell share_of_calls(const void *subject, const void *row, int index)
{
	const struct call_table *calls = subject;

	return cell__percent(((const struct call_line *)row)->calls, calls->all.calls);
}

static struct cell microseconds(uint64_t ns)
{
	return cell__number(ns == ABSENT ? NAN : ns / 1e3, 1);
}

/* A percentile of all calls together was not counted: blank, not a sum. */
static struct cell p99_time(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? microseconds(line->row->p99_ns) : cell__blank();
}

static struct cell longest_time(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? microseconds(line->row->max_ns) : cell__blank();
}

static struct cell calls_of_actor(const void *subject, const void *row, int actor)
{
	const struct call_line *line = row;
	uint64_t calls = line->of[actor];

	return line->row ? cell__count_unless_zero(calls) : cell__count(calls);
}

static struct cell call_name(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? cell__call(line->row) : cell__text("total");
}

static const struct column call_columns[] = {
	{ "% time", COLUMN_NUMBER, .cell = share_of_time, WHEN(struct call_table, timed) },
	{ "seconds", NUMBER_OF(struct call_line, seconds), .decimals = 6,
	  WHEN(struct call_table, timed) },
	{ "usecs/call", NUMBER_OF(struct call_line, mean_us), .decimals = 1,
	  WHEN(struct call_table, timed) },
	{ "p99 usecs", COLUMN_NUMBER, .cell = p99_time, WHEN(struct call_table, timed) },
	{ "max usecs", COLUMN_NUMBER, .cell = longest_time, WHEN(struct call_table, timed) },
	{ "% calls", COLUMN_NUMBER, .cell = share_of_calls, WHEN(struct call_table, untimed) },
	{ "calls", COUNT_OF(struct call_line, calls) },
	{ NULL, COLUMN_COUNT, .cell = calls_of_actor, WHEN(struct call_table, by_actor),
	  .repeat = ACTOR_COUNT, .header_of = header__actor },
	{ "errors", COUNT_OF(struct call_line, errors), .unless_zero = true },
	{ "denied", COUNT_OF(struct call_line, denied), .unless_zero = true,
	  WHEN(struct call_table, denied) },
	{ "syscall", COLUMN_TEXT, .cell = call_name },
};

static struct table *new_table(const struct run *run, const struct report_options *options,
			       const struct call_table *calls)
{
	if (!options->filter)
		return table__new("System calls");
	return table__titled(text__of("System calls (-e shows %lu of %lu)",
				      (unsigned long)calls->all.calls,
				      (unsigned long)syscall_table__calls(&run->table)),
			     NULL);
}

static struct call_table sum_up(const struct call_list *list, bool timed)
{
	struct call_table calls = { .timed = timed, .untimed = !timed };

	for (size_t i = 0; i < list->count; i++) {
		struct call_line line = line_of(list->rows[i]);

		add_to_sum(&calls.all, &line);
	}
	finish_line(&calls.all);
	calls.denied = calls.all.denied > 0;
	calls.by_actor[ACTOR_LDSO] = calls.by_actor[ACTOR_PROGRAM] = calls.all.of[ACTOR_LDSO] > 0;
	return calls;
}

struct table *report__syscalls(const struct run *run, const struct report_options *options)
{
	struct call_list list = call_list__of(&run->table, run->timed, options);
	struct call_table calls = sum_up(&list, run->timed);
	struct table *table = new_table(run, options, &calls);

	TABLE_COLUMNS(table, call_columns, &calls);
	table__rule(table);
	for (size_t i = 0; i < list.count; i++) {
		struct call_line line = line_of(list.rows[i]);

		finish_line(&line);
		table__add(table, &line);
	}
	table__rule(table);
	table__add(table, &calls.all);
	call_list__free(&list);
	return table;
}

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
};

/* What the table is about. */
struct call_table {
	bool timed;
	struct call_line all;
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

static void add_line(struct call_line *sum, const struct call_line *line)
{
	sum->calls += line->calls;
	sum->timed_calls += line->timed_calls;
	sum->errors += line->errors;
	sum->denied += line->denied;
	sum->ns += line->ns;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum->of[actor] += line->of[actor];
}

static bool is_timed(const void *subject, int index)
{
	return ((const struct call_table *)subject)->timed;
}

static bool is_untimed(const void *subject, int index)
{
	return !is_timed(subject, index);
}

static bool has_linker(const void *subject, int index)
{
	return ((const struct call_table *)subject)->all.of[ACTOR_LDSO] > 0;
}

static bool has_denied(const void *subject, int index)
{
	return ((const struct call_table *)subject)->all.denied > 0;
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

static struct cell seconds(const void *subject, const void *row, int index)
{
	return cell__number(((const struct call_line *)row)->ns / 1e9, 6);
}

static struct cell mean_time(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;
	uint64_t calls = line->row ? line->calls : line->timed_calls;

	return cell__number(line->timed_calls ? line->ns / calls / 1e3 : NAN, 1);
}

static struct cell microseconds(uint64_t ns)
{
	return cell__number(ns == ABSENT ? NAN : ns / 1e3, 1);
}

/* A percentile of all calls together was not counted: blank, not a sum. */
static struct cell p99(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? microseconds(line->row->p99_ns) : cell__blank();
}

static struct cell longest(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? microseconds(line->row->max_ns) : cell__blank();
}

static struct cell calls_of(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? cell__count_unless_zero(line->of[index]) : cell__count(line->of[index]);
}

static struct cell errors(const void *subject, const void *row, int index)
{
	return cell__count_unless_zero(((const struct call_line *)row)->errors);
}

static struct cell denied(const void *subject, const void *row, int index)
{
	return cell__count_unless_zero(((const struct call_line *)row)->denied);
}

static struct cell name(const void *subject, const void *row, int index)
{
	const struct call_line *line = row;

	return line->row ? cell__call(line->row) : cell__text("total");
}

static const struct column columns[] = {
	{ "% time", COLUMN_NUMBER, .cell = share_of_time, .when = is_timed },
	{ "seconds", COLUMN_NUMBER, .cell = seconds, .when = is_timed },
	{ "usecs/call", COLUMN_NUMBER, .cell = mean_time, .when = is_timed },
	{ "p99 usecs", COLUMN_NUMBER, .cell = p99, .when = is_timed },
	{ "max usecs", COLUMN_NUMBER, .cell = longest, .when = is_timed },
	{ "% calls", COLUMN_NUMBER, .cell = share_of_calls, .when = is_untimed },
	{ "calls", COUNT_OF(struct call_line, calls) },
	{ NULL, COLUMN_COUNT, .cell = calls_of, .when = has_linker, .index = ACTOR_LDSO,
	  .header_of = header__actor },
	{ NULL, COLUMN_COUNT, .cell = calls_of, .when = has_linker, .index = ACTOR_PROGRAM,
	  .header_of = header__actor },
	{ "errors", COLUMN_COUNT, .cell = errors },
	{ "denied", COLUMN_COUNT, .cell = denied, .when = has_denied },
	{ "syscall", COLUMN_TEXT, .cell = name },
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

struct table *report__syscalls(const struct run *run, const struct report_options *options)
{
	struct call_list list = call_list__of(&run->table, run->timed, options);
	struct call_table calls = { .timed = run->timed };
	struct table *table;

	for (size_t i = 0; i < list.count; i++) {
		struct call_line line = line_of(list.rows[i]);

		add_line(&calls.all, &line);
	}
	table = new_table(run, options, &calls);
	TABLE_COLUMNS(table, columns, &calls);
	table__rule(table);
	for (size_t i = 0; i < list.count; i++) {
		struct call_line line = line_of(list.rows[i]);

		table__add(table, &line);
	}
	table__rule(table);
	table__add(table, &calls.all);
	call_list__free(&list);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of strace -c, with what forktax knows besides. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "report/run/run_report.h"
#include "report/words.h"

/* What the table shows, and which columns that needs. */
struct view {
	const struct syscall_row **rows;
	size_t count;
	bool timed, denied, by_actor;
	uint64_t calls, timed_calls, errors, denials, ns;
	uint64_t of[ACTOR_COUNT];
};

/* Calls of a row without a longest one never returned: they have no time, not a time of zero. */
static bool has_times(const struct syscall_row *row)
{
	return row->max_ns != ABSENT && syscall_row__sum(row->calls);
}

static void add_row(struct view *view, const struct syscall_row *row)
{
	view->rows[view->count++] = row;
	view->calls += syscall_row__sum(row->calls);
	view->timed_calls += has_times(row) ? syscall_row__sum(row->calls) : 0;
	view->errors += syscall_row__sum(row->errors);
	view->denials += syscall_row__sum(row->denied);
	view->ns += syscall_row__sum(row->time_ns);
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		view->of[actor] += row->calls[actor];
}

static struct view view_of(const struct syscall_table *calls, bool timed,
			   const struct report_options *options)
{
	struct view view = { .timed = timed };

	view.rows = calloc(calls->count + 1, sizeof(*view.rows));
	if (!view.rows)
		err(125, "cannot write a report");
	for (size_t i = 0; i < calls->count; i++)
		if (filter__passes(options->filter, &calls->rows[i]))
			add_row(&view, &calls->rows[i]);
	sort__rows(view.rows, view.count, options->sort, timed);
	view.denied = view.denials > 0;
	view.by_actor = view.of[ACTOR_LDSO] > 0;
	return view;
}

static void add_columns(struct table *table, const struct view *view)
{
	if (view->timed) {
		table__column(table, "% time", ALIGN_RIGHT);
		table__column(table, "seconds", ALIGN_RIGHT);
		table__column(table, "usecs/call", ALIGN_RIGHT);
		table__column(table, "p99 usecs", ALIGN_RIGHT);
		table__column(table, "max usecs", ALIGN_RIGHT);
	} else {
		table__column(table, "% calls", ALIGN_RIGHT);
	}
	table__column(table, "calls", ALIGN_RIGHT);
	if (view->by_actor) {
		table__column(table, actor_counters[ACTOR_LDSO].header, ALIGN_RIGHT);
		table__column(table, actor_counters[ACTOR_PROGRAM].header, ALIGN_RIGHT);
	}
	table__column(table, "errors", ALIGN_RIGHT);
	if (view->denied)
		table__column(table, "denied", ALIGN_RIGHT);
	table__column(table, "syscall", ALIGN_LEFT);
}

static void share(struct table *table, uint64_t part, uint64_t whole)
{
	if (whole)
		table__format(table, "%.2f", 100.0 * part / whole);
	else
		table__text(table, "");
}

static void microseconds(struct table *table, uint64_t ns)
{
	if (ns == ABSENT)
		table__text(table, "-");
	else
		table__format(table, "%.1f", ns / 1e3);
}

static void unless_zero(struct table *table, uint64_t count)
{
	if (count)
		table__count(table, count);
	else
		table__text(table, "");
}

static void name(struct table *table, const struct syscall_row *row)
{
	if (row->abi == ABI_X86_64)
		table__text(table, row->name);
	else
		table__format(table, "%s (%s)", row->name, abi_keys[row->abi]);
}

static void times(struct table *table, const struct syscall_row *row)
{
	uint64_t ns = syscall_row__sum(row->time_ns);

	table__format(table, "%.6f", ns / 1e9);
	microseconds(table, has_times(row) ? ns / syscall_row__sum(row->calls) : ABSENT);
	microseconds(table, row->p99_ns);
	microseconds(table, row->max_ns);
}

static void add_line(struct table *table, const struct view *view, const struct syscall_row *row)
{
	uint64_t calls = syscall_row__sum(row->calls);

	table__row(table);
	if (view->timed) {
		share(table, syscall_row__sum(row->time_ns), view->ns);
		times(table, row);
	} else {
		share(table, calls, view->calls);
	}
	table__count(table, calls);
	if (view->by_actor) {
		unless_zero(table, row->calls[ACTOR_LDSO]);
		unless_zero(table, row->calls[ACTOR_PROGRAM]);
	}
	unless_zero(table, syscall_row__sum(row->errors));
	if (view->denied)
		unless_zero(table, syscall_row__sum(row->denied));
	name(table, row);
}

/* A percentile of all calls together was not counted: blank, not a sum. */
static void add_total(struct table *table, const struct view *view)
{
	table__rule(table);
	table__row(table);
	share(table, view->timed ? view->ns : view->calls, view->timed ? view->ns : view->calls);
	if (view->timed) {
		table__format(table, "%.6f", view->ns / 1e9);
		microseconds(table, view->timed_calls ? view->ns / view->timed_calls : ABSENT);
		table__text(table, "");
		table__text(table, "");
	}
	table__count(table, view->calls);
	if (view->by_actor) {
		table__count(table, view->of[ACTOR_LDSO]);
		table__count(table, view->of[ACTOR_PROGRAM]);
	}
	unless_zero(table, view->errors);
	if (view->denied)
		table__count(table, view->denials);
	table__text(table, "total");
}

struct table *report__syscalls(const struct run *run, const struct report_options *options)
{
	struct view view = view_of(&run->table, run->timed, options);
	uint64_t all = syscall_table__calls(&run->table);
	struct table *table;
	char *title;

	if (options->filter)
		title = words("System calls (-e shows %lu of %lu)", (unsigned long)view.calls,
			      (unsigned long)all);
	else
		title = words("System calls");
	table = table__new(title);
	add_columns(table, &view);
	table__rule(table);
	for (size_t i = 0; i < view.count; i++)
		add_line(table, &view, view.rows[i]);
	add_total(table, &view);
	free(title);
	free(view.rows);
	return table;
}

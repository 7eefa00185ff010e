// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of strace -c, with what forktax knows besides. */
#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/run/run_report.h"

enum { ROWS_USUAL = 10, ROWS_BESIDE = 4, ERRNOS_USUAL = 3 };

static bool has_calls(const struct syscall_row *row)
{
	return syscall_row__sum(row->calls) || syscall_row__sum(row->denied);
}

/* By time if there are times, else by calls; then by name and calling convention. */
static int by_weight(const void *left, const void *right, void *timed)
{
	const struct syscall_row *a = *(const struct syscall_row *const *)left;
	const struct syscall_row *b = *(const struct syscall_row *const *)right;
	const uint64_t of_a = syscall_row__sum(*(bool *)timed ? a->time_ns : a->calls);
	const uint64_t of_b = syscall_row__sum(*(bool *)timed ? b->time_ns : b->calls);
	const int by_name = strcmp(a->name, b->name);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return by_name ? by_name : (int)a->abi - (int)b->abi;
}

struct call_list call_list__of(const struct syscall_table *calls, bool timed, const struct report_options *options)
{
	struct call_list list = {
		.rows = checked_calloc(calls->count, sizeof(*list.rows)),
		.reduced = checked_calloc(calls->count, sizeof(*list.reduced)),
		.timed = timed && !filter__has_status(options->filter),
	};

	for (size_t i = 0; i < calls->count; i++) {
		if (!filter__passes(options->filter, &calls->rows[i]))
			continue;
		list.reduced[i] = filter__reduce(options->filter, &calls->rows[i]);
		if (!filter__has_status(options->filter) || has_calls(&list.reduced[i]))
			list.rows[list.count++] = &list.reduced[i];
	}
	qsort_r(list.rows, list.count, sizeof(*list.rows), by_weight, &list.timed);
	return list;
}

void call_list__free(struct call_list *list)
{
	free(list->rows);
	free(list->reduced);
}

/* Sums of one system call, or of all that are shown. */
struct call_total {
	uint64_t calls, timed_calls, errors, denied, ns;
	uint64_t of[ACTOR_COUNT];
};

/* What the table is about. */
struct call_table {
	struct syscall_row failed; /* errors by errno, of all that are shown */
	struct call_total all;
	bool timed, p99, untimed, errnos;
	bool by_actor[ACTOR_COUNT]; /* the dynamic linker and the program; a kernel makes none */
	size_t errnos_most; /* of a row */
};

/* Calls of a row without a longest one never returned: they have no time, not a time of zero. */
static bool has_times(const struct syscall_row *row)
{
	return row->max_ns != ABSENT && syscall_row__sum(row->calls);
}

static struct call_total sum_of(const struct syscall_row *row)
{
	struct call_total sum = {
		.calls = syscall_row__sum(row->calls),
		.timed_calls = has_times(row) ? syscall_row__sum(row->calls) : 0,
		.errors = syscall_row__sum(row->errors),
		.denied = syscall_row__sum(row->denied),
		.ns = syscall_row__sum(row->time_ns),
	};

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum.of[actor] = row->calls[actor];
	return sum;
}

static void add_to_sum(struct call_total *sum, const struct call_total *more)
{
	sum->calls += more->calls;
	sum->timed_calls += more->timed_calls;
	sum->errors += more->errors;
	sum->denied += more->denied;
	sum->ns += more->ns;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		sum->of[actor] += more->of[actor];
}

struct call_line {
	struct cell time_share, p99_us, max_us, call_share, of[ACTOR_COUNT], name, errnos;
	double seconds, mean_us;
	uint64_t calls, errors, denied;
};

static const struct column call_columns[] = {
	{ "% time", COLUMN_NUMBER, CELL_OF(struct call_line, time_share),
	  WHEN(struct call_table, timed), .spare = 1 },
	{ "seconds", NUMBER_OF(struct call_line, seconds), .decimals = 6,
	  WHEN(struct call_table, timed) },
	{ "usecs/call", NUMBER_OF(struct call_line, mean_us), .decimals = 1,
	  WHEN(struct call_table, timed) },
	{ "p99 usecs", COLUMN_NUMBER, CELL_OF(struct call_line, p99_us),
	  WHEN(struct call_table, p99), .spare = 5 },
	{ "max usecs", COLUMN_NUMBER, CELL_OF(struct call_line, max_us),
	  WHEN(struct call_table, timed), .spare = 2 },
	{ "% calls", COLUMN_NUMBER, CELL_OF(struct call_line, call_share),
	  WHEN(struct call_table, untimed), .spare = 1 },
	{ "calls", COUNT_OF(struct call_line, calls) },
	{ NULL, COLUMN_COUNT, CELL_OF(struct call_line, of), WHEN(struct call_table, by_actor),
	  EACH_BY(actor_counters, header), .spare = 4 },
	{ "errors", COUNT_OF(struct call_line, errors), .unless_zero = true },
	{ "denied", COUNT_OF(struct call_line, denied), .unless_zero = true, IF_ANY },
	{ "syscall", COLUMN_TEXT, CELL_OF(struct call_line, name) },
	{ "errnos", COLUMN_TEXT, CELL_OF(struct call_line, errnos), WHEN(struct call_table, errnos),
	  IF_ANY, .spare = 3 },
};

static struct call_line line_of(const struct call_total *sum, const struct call_table *about)
{
	return (struct call_line){
		.time_share = cell__percent(sum->ns, about->all.ns),
		.call_share = cell__percent(sum->calls, about->all.calls),
		.seconds = sum->ns / 1e9,
		.mean_us = NAN,
		.calls = sum->calls,
		.errors = sum->errors,
		.denied = sum->denied,
	};
}

static struct cell microseconds(uint64_t ns)
{
	return cell__number(ns == ABSENT ? NAN : ns / 1e3, 1);
}

static void add_call(struct table *table, const struct call_table *about, const struct syscall_row *row)
{
	const struct call_total sum = sum_of(row);
	struct call_line line = line_of(&sum, about);

	if (sum.timed_calls)
		line.mean_us = sum.ns / sum.calls / 1e3;
	line.p99_us = microseconds(row->p99_ns);
	line.max_us = microseconds(row->max_ns);
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		line.of[actor] = cell__count_unless_zero(sum.of[actor]);
	line.name = cell__call(row);
	line.errnos = cell__errnos(row, about->errnos_most);
	table__add(table, &line);
}

/* A percentile of several calls together was not counted: blank, not a sum. */
static void add_sum(struct table *table, const struct call_table *about,
		    const struct call_total *sum, struct syscall_row *failed, struct cell name)
{
	struct call_line line = line_of(sum, about);

	if (sum->timed_calls)
		line.mean_us = sum->ns / sum->timed_calls / 1e3;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		line.of[actor] = cell__count(sum->of[actor]);
	syscall_row__sort_errnos(failed);
	line.name = name;
	line.errnos = cell__errnos(failed, about->errnos_most);
	table__add(table, &line);
}

/* The rows from `shown` on as one. */
static void add_others(struct table *table, const struct call_table *about, const struct call_list *list, size_t shown)
{
	struct syscall_row failed = { 0 };
	struct call_total sum = { 0 };

	for (size_t i = shown; i < list->count; i++) {
		const struct call_total one = sum_of(list->rows[i]);

		add_to_sum(&sum, &one);
		syscall_row__add_errnos(&failed, list->rows[i]);
	}
	add_sum(table, about, &sum, &failed,
		cell__own(text__of("%s", quantity__count(list->count - shown, "other name", "other names").text)));
	syscall_row__release_errnos(&failed);
}

static struct table *new_table(const struct run *run, const struct report_options *options,
			       const struct call_table *calls)
{
	bool hides_times = run->timed && !calls->timed;
	struct table *table;
	autofree char *given = NULL;

	if (!options->filter)
		return table__new("System calls");
	given = filter__given(options->filter);
	table = table__titled(text__of("System calls (%s shows %lu of %lu%s)", given, (unsigned long)calls->all.calls,
				       (unsigned long)syscall_table__calls(&run->table),
				       hides_times ? "; times are not known by status" : ""),
			      NULL);
	return table;
}

static struct call_table sum_up(const struct run *run, const struct call_list *list)
{
	struct call_table calls = { .timed = list->timed, .untimed = !list->timed };

	for (size_t i = 0; i < list->count; i++) {
		const struct call_total sum = sum_of(list->rows[i]);

		add_to_sum(&calls.all, &sum);
		syscall_row__add_errnos(&calls.failed, list->rows[i]);
	}
	calls.errnos = true;
	calls.errnos_most = SIZE_MAX;
	calls.p99 = calls.timed;
	calls.by_actor[ACTOR_LDSO] = calls.by_actor[ACTOR_PROGRAM] = calls.all.of[ACTOR_LDSO] > 0;
	return calls;
}

/* What a screen has room for: without times of single calls beside the sums, and without columns by actor. */
static void make_brief(struct call_table *calls)
{
	calls->p99 = false;
	calls->errnos = !calls->timed;
	calls->errnos_most = ERRNOS_USUAL;
	calls->by_actor[ACTOR_PROGRAM] = false;
	calls->by_actor[ACTOR_LDSO] &= !calls->timed;
}

static struct table *table_of(const struct run *run, const struct report_options *options, size_t most, bool brief)
{
	struct call_list list = call_list__of(&run->table, run->timed, options);
	struct call_table calls = sum_up(run, &list);
	struct table *table = new_table(run, options, &calls);
	size_t shown = table__most(list.count, most);

	if (brief)
		make_brief(&calls);
	TABLE_COLUMNS(table, call_columns, &calls);
	table__rule(table);
	for (size_t i = 0; i < shown; i++)
		add_call(table, &calls, list.rows[i]);
	if (shown < list.count)
		add_others(table, &calls, &list, shown);
	table__rule(table);
	add_sum(table, &calls, &calls.all, &calls.failed, cell__text("total"));
	syscall_row__release_errnos(&calls.failed);
	call_list__free(&list);
	return table;
}

struct table *report__syscalls(const struct run *run, const struct report_options *options)
{
	return table_of(run, options, SIZE_MAX, false);
}

void report__print_syscalls(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	const size_t usual = run->anatomy || run->files ? ROWS_BESIDE : ROWS_USUAL;

	table__show(table_of(run, options, room__of(options, usual, SIZE_MAX).rows, report__is_brief(options)), output);
}

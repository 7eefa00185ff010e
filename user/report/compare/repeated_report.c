// SPDX-License-Identifier: GPL-2.0-or-later
/* Several runs of one command as one run: each count is that of the median run, with its range. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/html/html_page.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/compare/repeated_words.h"
#include "report/shown.h"
#include "report/words.h"

enum { ROWS_USUAL = 10, CLASSES_USUAL = 10 };

/* What the table is about. */
struct repeated {
	const struct comparison *comparison;
	const struct compare_column *column;
	const struct report_options *options;
	const struct table_output *output;
	bool timed, has_errors;
};

static struct cell range_cell(const struct spread *spread, struct unit unit)
{
	if (!spread->known)
		return cell__absent();
	if (spread->min == spread->max)
		return cell__text("same");
	return cell__own(quantity__bounds(spread->min, spread->max, unit));
}

/* Errors and times apply to calls alone: NULL elsewhere. */
static void add_row(struct table *table, const struct repeated *about, const char *header,
		    const struct spread *spread, struct unit unit, const struct spread *errors,
		    const struct spread *times)
{
	table__named_row(table, header);
	table__put(table, cell__text(spread->known ? quantity__in(spread->median, unit).text : "-"));
	table__put(table, range_cell(spread, unit));
	if (about->has_errors)
		table__put(table, errors && errors->known && errors->max
					  ? cell__spread_in(errors, unit__none) : cell__blank());
	if (about->timed)
		table__put(table, times ? cell__spread_in(times, unit__us) : cell__blank());
}

static void add_indented(struct table *table, const struct repeated *about, const char *header,
			 const struct spread *spread)
{
	autofree char *text = text__of("  %s", header);

	add_row(table, about, text, spread, unit__none, NULL, NULL);
}

/* Calls of the list from `first` on, in one run. */
struct rest {
	const struct compare_row *const *rows;
	size_t first, count;
	enum sort_key of; /* SORT_CALLS, SORT_ERRORS or SORT_TIME */
};

static double figure_of(const struct run *run, const struct syscall_row *call, enum sort_key of)
{
	const struct syscall_row *row = syscall_table__find(&run->table, call->name, call->abi);

	if (of == SORT_TIME)
		return !run->timed || (row && row->max_ns == ABSENT) ? NAN
		       : row ? (double)syscall_row__sum(row->time_ns) : 0;
	if (of == SORT_ERRORS && !run__has(run, HAS_ERRORS))
		return NAN;
	return row ? (double)syscall_row__sum(of == SORT_ERRORS ? row->errors : row->calls) : 0;
}

/* What never returned took no time; if all is such, nothing was measured. */
static double rest_of(const struct run *run, const struct rest *rest)
{
	double sum = 0, one;
	bool known = false;

	for (size_t i = rest->first; i < rest->count; i++) {
		one = figure_of(run, rest->rows[i]->call, rest->of);
		if (isnan(one) && rest->of != SORT_TIME)
			return NAN;
		known |= !isnan(one);
		sum += isnan(one) ? 0 : one;
	}
	return known ? sum : NAN;
}

static struct spread spread_of_rest(const struct repeated *about, const struct rest *rest)
{
	const struct compare_column *column = about->column;
	autofree double *values = checked_calloc(column->run_count, sizeof(*values));
	struct spread spread;

	for (size_t i = 0; i < column->run_count; i++)
		values[i] = rest_of(column->runs[i], rest);
	spread = stats__spread(values, column->run_count);
	return spread;
}

static void add_calls(struct table *table, const struct repeated *about, const char *header,
		      const struct compare_row *const *rows, size_t first, size_t count)
{
	struct rest rest = { rows, first, count, SORT_CALLS };
	const struct spread calls = spread_of_rest(about, &rest);
	struct spread errors, times;

	rest.of = SORT_ERRORS;
	errors = spread_of_rest(about, &rest);
	rest.of = SORT_TIME;
	times = spread_of_rest(about, &rest);
	add_row(table, about, header, &calls, unit__none, &errors, &times);
}

/* The rows of a section that have content, in the order that was asked for; to be freed. */
static const struct compare_row **rows_of(const struct repeated *about, enum compare_section section,
					  size_t *count)
{
	const struct comparison *comparison = about->comparison;
	const struct compare_row **rows = checked_calloc(comparison->row_count, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].section == section &&
		    repeated_words__has(&comparison->rows[i], about->options))
			rows[(*count)++] = &comparison->rows[i];
	return rows;
}

/* By time if there are times, else by calls, as the table of one run. */
struct order {
	const struct repeated *about;
	enum sort_key key;
};

static double weight(const struct compare_row *row, const struct order *order)
{
	const struct compare_row *rows[] = { row };
	const struct rest one = { rows, 0, 1, order->key == SORT_ERRORS || order->key == SORT_TIME
					      ? order->key : SORT_CALLS };
	const struct spread spread = spread_of_rest(order->about, &one);

	return spread.known ? spread.median : 0;
}

static int by_weight(const void *left, const void *right, void *context)
{
	const struct compare_row *const *a = left, *const *b = right;
	const struct order *order = context;
	const double x = weight(*a, order), y = weight(*b, order);

	if (order->key != SORT_NAME && x != y)
		return x < y ? 1 : -1;
	return strcmp((*a)->header, (*b)->header);
}

static void sort_calls(const struct repeated *about, const struct compare_row **rows, size_t count)
{
	struct order order = { about, about->options->sort };

	if (order.key == SORT_NOTHING)
		return;
	if (order.key != SORT_NAME && order.key != SORT_ERRORS && order.key != SORT_CALLS)
		order.key = about->timed ? SORT_TIME : SORT_CALLS;
	qsort_r(rows, count, sizeof(*rows), by_weight, &order);
}

static void add_call_rows(struct table *table, const struct repeated *about,
			  const struct compare_row *const *rows, size_t count)
{
	const size_t shown = table__most(count, room__of(about->options, ROWS_USUAL, SIZE_MAX).rows);
	char *header;

	for (size_t i = 0; i < shown; i++) {
		header = text__of("  %s", rows[i]->header);
		add_calls(table, about, header, rows, i, i + 1);
		free(header);
	}
	if (shown == count)
		return;
	header = text__of("  %zu other names", count - shown);
	add_calls(table, about, header, rows, shown, count);
	free(header);
}

static double denied_of(const struct run *run)
{
	return run__has(run, HAS_DENIED) ? (double)syscall_table__denied(&run->table) : NAN;
}

static void add_system_calls(struct table *table, const struct repeated *about)
{
	const struct spread denied = compare_column__spread(about->column, denied_of);
	size_t count;
	autofree const struct compare_row **rows = rows_of(about, SECTION_SYSCALLS, &count);

	sort_calls(about, rows, count);
	if (count)
		add_calls(table, about, about->options->filter ? "system calls (shown)" : "system calls",
			  rows, 0, count);
	add_call_rows(table, about, rows, count);
	if (denied.known && denied.max)
		add_indented(table, about, "denied", &denied);
}

/* Each by its errno; only for those who want everything: sums stand beside the calls. */
static void add_section(struct table *table, const struct repeated *about,
			enum compare_section section, const char *heading)
{
	size_t count;
	autofree const struct compare_row **rows = rows_of(about, section, &count);

	if (count && heading)
		table__heading(table, heading);
	for (size_t i = 0; i < count; i++)
		add_indented(table, about, rows[i]->header, &rows[i]->cells[0]);
}

static void add_total(struct table *table, const struct repeated *about, const char *header,
		      enum compare_section section, const char *key)
{
	const struct compare_row *row = compare__find_row(about->comparison, section, key);

	if (row && row->cells[0].known && row->cells[0].max)
		add_row(table, about, header, &row->cells[0], unit__none, NULL, NULL);
}

static void add_faults(struct table *table, const struct repeated *about)
{
	add_total(table, about, "page faults", SECTION_FAULT_TOTALS, "total");
	add_section(table, about, SECTION_FAULTS, NULL);
}

static void add_children(struct table *table, const struct repeated *about)
{
	add_total(table, about, "child processes", SECTION_CHILDREN, "children");
	add_total(table, about, "  system calls of each", SECTION_CHILDREN, "syscalls");
	add_total(table, about, "  page faults of each", SECTION_CHILDREN, "faults");
}

static void add_time(struct table *table, const struct repeated *about)
{
	const struct spread *wall = &about->comparison->timings[0].traced_wall;
	const struct unit unit = unit__of_time(wall->median);
	char *header;

	if (!wall->known)
		return;
	header = text__of("time, traced (%s)", unit.name);
	add_row(table, about, header, wall, unit, NULL, NULL);
	free(header);
}

static bool shows(const struct repeated *about, enum section_id id, enum section_level level)
{
	return section__is_shown(id, level, about->options) ||
	       (id != SHOW_COUNTS && about->options->show[SHOW_COUNTS]);
}

static bool has_errors(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].section == SECTION_ERRORS)
			return true;
	return false;
}

static void add_columns(struct table *table, const struct repeated *about)
{
	table__column(table, "", COLUMN_TEXT);
	table__column(table, "median", COLUMN_COUNT);
	table__column(table, "lowest..highest", COLUMN_COUNT);
	if (about->has_errors)
		table__column(table, "errors", COLUMN_COUNT);
	if (!about->timed)
		return;
	table__column(table, "usecs", COLUMN_COUNT);
	table__spare_column(table, 1);
}

static void print_table(const struct repeated *about)
{
	struct table *table = table__new(NULL);

	table__keep_order(table);
	add_columns(table, about);
	if (shows(about, SHOW_CALLS, BY_DEFAULT))
		add_system_calls(table, about);
	if (shows(about, SHOW_CALLS, IN_FULL) && !report__is_brief(about->options))
		add_section(table, about, SECTION_ERRORS, "errors");
	if (shows(about, SHOW_FAULTS, BY_DEFAULT))
		add_faults(table, about);
	if (shows(about, SHOW_GROUPS, BY_DEFAULT))
		add_children(table, about);
	if (shows(about, SHOW_TIMES, BY_DEFAULT))
		add_time(table, about);
	table__show(table, about->output);
}

void repeated__print(const struct comparison *comparison, const struct report_options *options,
		     const struct table_output *output)
{
	const struct repeated about = {
		.comparison = comparison,
		.column = &comparison->columns[0],
		.options = options,
		.output = output,
		.timed = comparison->columns[0].runs[0]->timed,
		.has_errors = has_errors(comparison),
	};

	wrap__labelled(NULL, repeated_words__answer(comparison, options), output);
	if (!options->quiet)
		wrap__labelled(NULL, repeated_words__runs(&comparison->columns[0]), output);
	if (output->page)
		html_page__heading(output->page, "Counts of one run");
	print_table(&about);
}

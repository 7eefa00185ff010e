// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The answer's table, which fits a screen: times, then a row for each system call and each class of page faults. Of
 * several columns those that are the same in all of them are one row, with their sum.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/shown.h"

/* Rows of a part: of several commands without children there is nothing else; of two the differences stand below. */
enum { ROWS_ALONE = 18, ROWS_OF_TWO = 12, ROWS_BESIDE = 6 };

/* A total, and the rows that it is the sum of. */
struct part {
	enum compare_section section;
	const char *key, *header;
	enum compare_section of; /* of the rows */
	const char *indent; /* of the rows; NULL: there are none */
};

static const struct part parts[] = {
	{ SECTION_SYSCALL_TOTALS, "total", "system calls", SECTION_SYSCALLS, "  " },
	{ SECTION_FAULT_TOTALS, "total", "page faults", SECTION_FAULTS, "  " },
	{ SECTION_CHILDREN, "children", "child processes", SECTION_COUNT, NULL },
	{ SECTION_GROUP, "children", "  largest group", SECTION_COUNT, NULL },
	{ SECTION_GROUP, "syscalls", "  calls of each", SECTION_GROUP_CALLS, "    " },
	{ SECTION_GROUP, "faults", "  faults of each", SECTION_GROUP, "    " },
};

/* What is being printed. */
struct brief {
	const struct comparison *comparison;
	const struct report_options *options;
	struct table *table;
	size_t rows; /* of a part */
};

/* The median, as the column knows the number; "~": the runs differ. */
static struct cell count_cell(const struct spread *count)
{
	char *text = count->known ? text__of("%s%s", count->min != count->max ? "~" : "",
					     quantity__in(count->median, unit__none).text) : text__of("-");

	return cell__spread(count, text);
}

static struct cell range_cell(const struct spread *count)
{
	if (!count->known)
		return cell__absent();
	return count->min == count->max ? cell__text("same")
					: cell__own(quantity__bounds(count->min, count->max, unit__none));
}

static void add_row(const struct brief *brief, const char *indent, const char *name, const struct spread *cells)
{
	autofree char *header = text__of("%s%s", indent, name);

	table__named_row(brief->table, header);
	for (size_t i = 0; i < brief->comparison->column_count; i++)
		table__put(brief->table, count_cell(&cells[i]));
	if (brief->comparison->column_count == 1)
		table__put(brief->table, range_cell(&cells[0]));
}

/* From the least to the most of all columns; of a single one: the number itself. */
static double width_of(const struct comparison *comparison, const struct compare_row *row)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const double count = row->cells[i].known ? row->cells[i].median : 0;

		least = fmin(least, count);
		most = fmax(most, count);
	}
	return comparison->column_count > 1 ? most - least : most;
}

/* Is its median above 0 in some column? */
static bool occurs(const struct comparison *comparison, const struct compare_row *row)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		if (row->cells[i].known && row->cells[i].median > 0)
			return true;
	return false;
}

/* In all runs of all columns? */
static bool is_same(const struct comparison *comparison, const struct compare_row *row)
{
	bool same = comparison->column_count > 1;

	for (size_t i = 0; i < comparison->column_count; i++)
		same &= row->cells[i].known && row->cells[i].min == row->cells[0].median &&
			row->cells[i].max == row->cells[0].median;
	return same;
}

/* The errno, if the row is of calls of that name that failed; else NULL. */
static const char *error_of(const struct compare_row *call, const struct compare_row *error)
{
	const size_t length = strlen(call->header);

	if (call->section != SECTION_SYSCALLS || error->section != SECTION_ERRORS ||
	    strncmp(error->header, call->header, length) || error->header[length] != ' ' ||
	    strchr(error->header + length + 1, ' '))
		return NULL;
	return error->header + length + 1;
}

/* The next of its errors that is shown, from `index` on; NULL: no more. */
static const struct compare_row *next_error(const struct comparison *comparison, const struct compare_row *call,
					    size_t *index)
{
	while (*index < comparison->row_count) {
		const struct compare_row *row = &comparison->rows[(*index)++];

		if (error_of(call, row) && occurs(comparison, row) && !is_same(comparison, row))
			return row;
	}
	return NULL;
}

static bool is_of(const struct brief *brief, const struct part *part, const struct compare_row *row)
{
	return row->section == part->of && compare__shows(brief->options, row) && occurs(brief->comparison, row) &&
	       strcmp(row->key, "children") && strcmp(row->key, "syscalls") && strcmp(row->key, "faults");
}

static int by_width(const void *left, const void *right, void *comparison)
{
	const struct compare_row *const *a = left, *const *b = right;
	const double wider = width_of(comparison, *b) - width_of(comparison, *a);

	return wider ? (wider < 0 ? -1 : 1) : *a < *b ? -1 : 1;
}

static int by_place(const void *left, const void *right)
{
	const struct compare_row *const *a = left, *const *b = right;

	return *a < *b ? -1 : 1;
}

/* Those that differ most, in the usual order; with their errors. */
static void add_rows(const struct brief *brief, const struct part *part, const struct compare_row **rows, size_t count)
{
	const size_t shown = table__most(count, brief->rows);
	autofree char *more = text__of("%s(%zu more: -v)", part->indent, count - shown);

	qsort_r(rows, count, sizeof(*rows), by_width, (void *)brief->comparison);
	qsort(rows, shown, sizeof(*rows), by_place);
	for (size_t i = 0; i < shown; i++) {
		const struct compare_row *error;
		size_t next = 0;

		add_row(brief, part->indent, rows[i]->header, rows[i]->cells);
		while ((error = next_error(brief->comparison, rows[i], &next)))
			add_row(brief, "    ", error_of(rows[i], error), error->cells);
	}
	if (shown < count)
		table__named_row(brief->table, more);
}

/* In one row. */
static void add_same(const struct brief *brief, const struct part *part, const struct compare_row **rows, size_t count)
{
	const size_t columns = brief->comparison->column_count;
	autofree struct spread *sums = checked_calloc(columns, sizeof(*sums));
	autofree char *others = text__of("%zu others, equal", count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rows[i]->cells[0].median;
	for (size_t i = 0; i < columns; i++)
		sums[i] = (struct spread){ true, sum, sum, sum };
	if (count)
		add_row(brief, part->indent, count == 1 ? rows[0]->header : others, sums);
}

/* Is the row of the largest group's children, and is there no other group? */
static bool has_all_children(const struct comparison *comparison, const struct compare_row *row)
{
	const struct compare_row *all = compare__find_row(comparison, SECTION_CHILDREN, "children");
	bool has_all = all && row && row->section == SECTION_GROUP && !strcmp(row->key, "children");

	for (size_t i = 0; has_all && i < comparison->column_count; i++)
		has_all = !row->cells[i].known || row->cells[i].median == all->cells[i].median;
	return has_all;
}

static void add_part(const struct brief *brief, const struct part *part)
{
	const struct comparison *comparison = brief->comparison;
	const struct compare_row *total = compare__find_row(comparison, part->section, part->key);
	autofree const struct compare_row **rows = checked_calloc(comparison->row_count, sizeof(*rows));
	autofree const struct compare_row **same = checked_calloc(comparison->row_count, sizeof(*same));
	size_t count = 0, alike = 0;

	if ((total && !occurs(comparison, total)) || has_all_children(comparison, total))
		return;
	for (size_t i = 0; i < comparison->row_count && part->indent && brief->rows; i++) {
		const struct compare_row *row = &comparison->rows[i];
		size_t next = 0;

		if (!is_of(brief, part, row))
			continue;
		if (is_same(comparison, row) && !next_error(comparison, row, &next))
			same[alike++] = row;
		else
			rows[count++] = row;
	}
	if (total)
		add_row(brief, "", part->header, total->cells);
	add_rows(brief, part, rows, count);
	if (count)
		add_same(brief, part, same, alike);
}

static bool has_children(const struct comparison *comparison)
{
	const struct compare_row *children = compare__find_row(comparison, SECTION_CHILDREN, "children");

	return children && occurs(comparison, children);
}

static size_t rows_of(const struct comparison *comparison, const struct report_options *options)
{
	const size_t usual = has_children(comparison) ? ROWS_BESIDE
			     : comparison->column_count > 2 ? ROWS_ALONE : ROWS_OF_TWO;

	return room__of(options, usual, SIZE_MAX).rows;
}

/* The counts of a single command have their range beside them. */
static void add_columns(struct table *table, const struct comparison *comparison)
{
	if (comparison->column_count > 1) {
		compare_table__add_columns(table, comparison);
		return;
	}
	table__column(table, "", COLUMN_TEXT);
	table__column(table, "median", COLUMN_COUNT);
	table__column(table, "lowest..highest", COLUMN_COUNT);
}

void compare_brief__print(const struct comparison *comparison, const struct report_options *options,
			  bool totals_alone, const struct table_output *output)
{
	const struct brief brief = { comparison, options, table__new(NULL),
				     totals_alone ? 0 : rows_of(comparison, options) };

	table__may_continue_below(brief.table);
	add_columns(brief.table, comparison);
	if (!totals_alone && (comparison->column_count > 2 || has_children(comparison)))
		compare_table__add_short_times(brief.table, comparison);
	else
		compare_table__add_times(brief.table, comparison);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		add_part(&brief, &parts[i]);
	table__show(brief.table, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What differs most between two columns, whatever it is: in one list, by how much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/shown.h"
#include "report/words.h"

enum { SIDES = 2, ROWS_USUAL = 10, NAMES_SHOWN = 5 };
enum { LINES_SHOWN = 3, LINE_BYTES = 60 }; /* of scripts */

/* Several rows of one region are one difference. */
struct difference {
	const char *what;
	const char *name;
	double from, to;
	size_t rows;
};

struct differences {
	struct difference *list;
	size_t count;
};

/* NULL: its rows are parts of others, or stand elsewhere, as calls and classes of faults do. */
static const char *const kinds[SECTION_COUNT] = {
	[SECTION_LINES] = "forks of line",
	[SECTION_GROUPS] = "children",	     [SECTION_PROCESSES] = "processes",
	[SECTION_FILES] = "file accesses",   [SECTION_SYMBOLS] = "bound symbol",
	[SECTION_PAGES] = "pages",
};

/* Not what varies by itself. Of few runs nobody can say more. */
static bool counts(const struct comparison *comparison, const struct compare_row *row, size_t to)
{
	switch (row->moves[to]) {
	case MOVE_SHOWN:
	case MOVE_OTHER:
	case MOVE_FEW:
		return true;
	case MOVE_ONE_RUN:
		return !row->by_chance;
	default:
		return false;
	}
}

static struct difference *find(struct differences *all, const char *what, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].what == what && !strcmp(all->list[i].name, name))
			return &all->list[i];
	all->list = checked_grow(all->list, all->count, sizeof(*all->list));
	all->list[all->count] = (struct difference){ .what = what, .name = name };
	return &all->list[all->count++];
}

static void take(struct differences *all, const struct compare_row *row, size_t from, size_t to)
{
	const char *name = row->region ? row->region : row->header;
	struct difference *difference = find(all, kinds[row->section], name);

	difference->from += row->cells[from].known ? row->cells[from].median : 0;
	difference->to += row->cells[to].known ? row->cells[to].median : 0;
	difference->rows++;
}

static int by_weight(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;
	const double x = fabs(a->to - a->from), y = fabs(b->to - b->from);

	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(a->name, b->name);
}

static struct differences differences_of(const struct comparison *comparison,
					 const struct report_options *options, size_t from, size_t to)
{
	struct differences all = { 0 };

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (kinds[row->section] && compare__shows(options, row) && counts(comparison, row, to))
			take(&all, row, from, to);
	}
	if (all.count)
		qsort(all.list, all.count, sizeof(*all.list), by_weight);
	return all;
}

static struct cell number_cell(double value)
{
	return cell__worded(cell__number(value, DECIMALS_ALL), quantity__in(value, unit__none));
}

static struct cell change_cell(const struct difference *difference)
{
	const double change = difference->to - difference->from;

	return cell__worded(cell__number(change, DECIMALS_ALL), quantity__signed(change, unit__none));
}

static void print_table(const struct comparison *comparison, const struct differences *all, size_t from,
			size_t to, size_t most, const struct table_output *output)
{
	struct table *table = table__new("Other differences");

	table__column(table, "what", COLUMN_TEXT);
	table__column(table, comparison->columns[from].label, COLUMN_NUMBER);
	table__column(table, comparison->columns[to].label, COLUMN_NUMBER);
	table__column(table, "change", COLUMN_NUMBER);
	table__column(table, "name", COLUMN_TEXT);
	for (size_t i = 0; i < all->count && i < most; i++) {
		table__row(table);
		table__text(table, all->list[i].what);
		table__put(table, number_cell(all->list[i].from));
		table__put(table, number_cell(all->list[i].to));
		table__put(table, change_cell(&all->list[i]));
		table__text(table, all->list[i].name);
	}
	table__show(table, output);
	if (all->count > most)
		fprintf(output->stream, "(%zu more: -v)\n", all->count - most);
}

/* Programs and libraries that only one side has: causes of many other differences. */
static void print_only(const struct comparison *comparison, size_t from, size_t to, size_t side,
		       const struct table_output *output)
{
	struct name_list names = { .most = NAMES_SHOWN };
	const size_t other = side == from ? to : from;
	autofree char *list = NULL;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if ((row->section == SECTION_LIBRARIES || row->section == SECTION_PROGRAMS) &&
		    row->moves[to] > MOVE_OTHER && row->moves[to] != MOVE_NOT_SHOWN &&
		    row->cells[side].max > 0 && !(row->cells[other].max > 0))
			name_list__add(&names, row->header);
	}
	list = name_list__finish(&names);
	if (list)
		wrap__labelled(NULL, text__of("Only %s has %s.", comparison->columns[side].label, list), output);
}

/* Lines of scripts that fork more than on the other side. */
static void print_lines(const struct comparison *comparison, size_t from, size_t to, size_t side,
			const struct table_output *output)
{
	struct name_list names = { .most = LINES_SHOWN };
	const size_t other = side == from ? to : from;
	autofree char *list = NULL;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		const double more = row->cells[side].median;
		const double less = row->cells[other].known ? row->cells[other].median : 0;
		autofree char *line = NULL, *words = NULL;

		if (row->section != SECTION_LINES || !counts(comparison, row, to) || !(more > less))
			continue;
		line = script_line__beginning(row->header, LINE_BYTES);
		words = text__of("\"%s\" (%s instead of %s)", line, quantity__in(more, unit__none).text,
				 quantity__in(less, unit__none).text);
		name_list__add(&names, words);
	}
	list = name_list__finish(&names);
	if (list)
		wrap__labelled(NULL,
			       text__of("In %s these lines fork more: %s.", comparison->columns[side].label, list),
			       output);
}

void compare_differences__print(const struct comparison *comparison, const struct report_options *options,
				const struct table_output *output)
{
	const size_t from = comparison->baseline, to = !from;
	struct differences all;

	if (comparison->column_count != SIDES)
		return;
	all = differences_of(comparison, options, from, to);
	if (all.count)
		print_table(comparison, &all, from, to, room__of(options, ROWS_USUAL, SIZE_MAX).rows, output);
	free(all.list);
	print_only(comparison, from, to, from, output);
	print_only(comparison, from, to, to, output);
	print_lines(comparison, from, to, from, output);
	print_lines(comparison, from, to, to, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/compare/compare_grid.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"

char *compare__text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = checked(NULL);
	va_end(arguments);
	return text;
}

static struct grid_row *add(struct compare_grid *grid, enum grid_kind kind, const char *header)
{
	struct grid_row *row;

	grid->rows = checked_grow(grid->rows, grid->row_count, sizeof(*grid->rows));
	row = &grid->rows[grid->row_count++];
	*row = (struct grid_row){ .kind = kind, .header = checked_strdup(header) };
	return row;
}

void compare_grid__section(struct compare_grid *grid, const char *header)
{
	add(grid, GRID_SECTION, header);
}

char **compare_grid__row(struct compare_grid *grid, const char *header)
{
	struct grid_row *row = add(grid, GRID_ROW, header);

	row->cells = checked_calloc(grid->comparison->column_count, sizeof(*row->cells));
	return row->cells;
}

void compare_grid__free(struct compare_grid *grid)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		struct grid_row *row = &grid->rows[i];

		for (size_t k = 0; row->cells && k < grid->comparison->column_count; k++)
			free(row->cells[k]);
		free(row->cells);
		free(row->header);
	}
	free(grid->rows);
}

/* Means of many children: "6.97" says that not all were alike, where "7.0" would look like rounding. */
static char *number(double value)
{
	return value == floor(value) ? compare__text("%.0f", value) : compare__text("%.2f", value);
}

/* "57", or "57 (55..60)" where runs differ. */
static char *spread_text(const struct spread *spread)
{
	char *median, *min, *max, *text;

	if (!spread->known)
		return compare__text("-");
	median = number(spread->median);
	if (spread->min == spread->max)
		return median;
	min = number(spread->min);
	max = number(spread->max);
	text = compare__text("%s (%s..%s)", median, min, max);
	free(median);
	free(min);
	free(max);
	return text;
}

bool compare_view__shows(const struct compare_view *view, const struct compare_row *row)
{
	return !row->call || filter__passes(view->filter, row->call);
}

/* Rows that no column has anything for would only push the others off the screen. */
static bool has_content(const struct compare_row *row, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		if (row->cells[i].known && row->cells[i].max)
			return true;
	}
	return false;
}

static void add_row(struct compare_grid *grid, const struct compare_row *row)
{
	char *text = compare__text("  %s", row->header);
	char **cells = compare_grid__row(grid, text);

	for (size_t i = 0; i < grid->comparison->column_count; i++)
		cells[i] = spread_text(&row->cells[i]);
	free(text);
}

static int by_name(const void *left, const void *right)
{
	const struct compare_row *const *a = left, *const *b = right;

	return strcmp((*a)->header, (*b)->header);
}

static void add_section(struct compare_grid *grid, const struct compare_view *view,
			enum compare_section section)
{
	const struct comparison *comparison = grid->comparison;
	const struct compare_row **rows = checked_calloc(comparison->row_count, sizeof(*rows));
	size_t count = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section == section && compare_view__shows(view, row) &&
		    has_content(row, comparison->column_count))
			rows[count++] = row;
	}
	if (section == SECTION_SYSCALLS && view->sort == SORT_NAME)
		qsort(rows, count, sizeof(*rows), by_name);
	for (size_t i = 0; i < count; i++)
		add_row(grid, rows[i]);
	free(rows);
}

static bool has_children(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (compare_column__group(&comparison->columns[i]))
			return true;
	}
	return false;
}

static void add_group_names(struct compare_grid *grid)
{
	char **cells = compare_grid__row(grid, "largest group, per child");

	for (size_t i = 0; i < grid->comparison->column_count; i++) {
		cells[i] = compare_column__group_name(&grid->comparison->columns[i]);
		if (!cells[i])
			cells[i] = compare__text("-");
	}
}

static bool has_runs(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (comparison->columns[i].run_count)
			return true;
	}
	return false;
}

void compare_grid__add_counts(struct compare_grid *grid, const struct compare_view *view)
{
	if (!has_runs(grid->comparison))
		return;
	compare_grid__section(grid, "system calls");
	add_section(grid, view, SECTION_SYSCALLS);
	if (view->filter) /* the totals below it are not those of the calls above */
		compare_grid__section(grid, "all system calls");
	add_section(grid, view, SECTION_SYSCALL_TOTALS);
	compare_grid__section(grid, "page faults");
	add_section(grid, view, SECTION_FAULTS);
	add_section(grid, view, SECTION_FAULT_TOTALS);
	if (!has_children(grid->comparison))
		return;
	compare_grid__section(grid, "per child, mean of all");
	add_section(grid, view, SECTION_CHILDREN);
	add_group_names(grid);
	add_section(grid, view, SECTION_GROUP);
}

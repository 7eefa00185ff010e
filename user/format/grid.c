// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/grid.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "format/escape.h"

static void *checked(void *memory)
{
	if (!memory)
		err(125, "cannot print a table");
	return memory;
}

static char *prepend(const char *prefix, char *text)
{
	char *joined = checked(malloc(strlen(prefix) + strlen(text) + 1));

	strcpy(stpcpy(joined, prefix), text);
	free(text);
	return joined;
}

static char *rule(size_t width)
{
	char *dashes = checked(malloc(width + 1));

	memset(dashes, '-', width);
	dashes[width] = '\0';
	return dashes;
}

static void fill_grid(struct grid *grid, const struct table *table, bool utf8)
{
	char **prefixes = table->is_tree ? tree__prefixes(table, utf8) : NULL;

	for (size_t column = 0; column < grid->columns; column++)
		grid->cells[column] = escape__text(table->columns[column].header, utf8);
	for (size_t row = 0; row < table->row_count; row++) {
		char **cells = &grid->cells[(row + 1) * grid->columns];

		if (table->rows[row].is_rule)
			continue;
		for (size_t column = 0; column < grid->columns; column++)
			cells[column] = escape__text(table__cell(table, row, column), utf8);
		if (prefixes)
			cells[0] = prepend(prefixes[row], cells[0]);
	}
	for (size_t row = 0; prefixes && row < table->row_count; row++)
		free(prefixes[row]);
	free(prefixes);
}

static void measure_grid(struct grid *grid)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++) {
		size_t width = grid->cells[i] ? escape__width(grid->cells[i]) : 0;

		if (width > grid->widths[i % grid->columns])
			grid->widths[i % grid->columns] = width;
	}
}

static size_t shortened(size_t width)
{
	return width < GRID_SHORT_TEXT ? width : GRID_SHORT_TEXT;
}

/* A rule is no longer than what text can shrink to, so that it is never cut nor wrapped. */
static void draw_rules(struct grid *grid, const struct table *table, bool is_limited)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++) {
		size_t column = i % grid->columns;
		size_t width = grid->widths[column];

		if (is_limited && table->columns[column].align == ALIGN_LEFT)
			width = shortened(width);
		if (!grid->cells[i])
			grid->cells[i] = rule(width);
	}
}

/* libsmartcols shrinks a column to its header, no further. */
static void widen_headers(struct grid *grid, const struct table *table)
{
	for (size_t i = 0; i < grid->columns; i++) {
		size_t width = shortened(grid->widths[i]);
		size_t used = escape__width(grid->cells[i]);
		char *padded = NULL;

		if (table->columns[i].align == ALIGN_RIGHT || used >= width)
			continue;
		if (asprintf(&padded, "%s%*s", grid->cells[i], (int)(width - used), "") < 0)
			err(125, "cannot print a table");
		free(grid->cells[i]);
		grid->cells[i] = padded;
	}
}

struct grid *grid__new(const struct table *table, const struct table_output *output)
{
	struct grid *grid = checked(calloc(1, sizeof(*grid)));

	grid->rows = table->row_count + 1;
	grid->columns = table->column_count;
	grid->cells = checked(calloc(grid->rows * grid->columns + 1, sizeof(*grid->cells)));
	grid->widths = checked(calloc(grid->columns + 1, sizeof(*grid->widths)));
	fill_grid(grid, table, output->utf8);
	measure_grid(grid);
	draw_rules(grid, table, output->width);
	if (!output->width)
		return grid;
	widen_headers(grid, table);
	if (table->columns[grid->columns - 1].align == ALIGN_LEFT)
		grid->is_broken = grid__wrap_last(grid, output->width);
	return grid;
}

void grid__free(struct grid *grid)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->cells);
	free(grid->widths);
	free(grid);
}

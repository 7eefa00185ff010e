// SPDX-License-Identifier: GPL-2.0-or-later
/* A table that is wider than the terminal: leaves out columns, and shortens texts between words. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/layout.h"

static size_t least_width(const struct table_layout *layout)
{
	size_t last = layout->grid->columns - 1, used = layout__least(layout, last);

	for (size_t i = 0; i < last; i++)
		used += layout->widths[i] + 1;
	return used;
}

/* A path in pieces is hard to read: one at the end of a row has half the terminal, before columns to spare. */
static bool crowds_paths(const struct table_layout *layout)
{
	const struct grid *grid = layout->grid;
	const size_t last = grid->columns - 1, half = layout->output->width / 2;
	const size_t wanted = layout->widths[last] < half ? layout->widths[last] : half;
	size_t used = wanted, paths = 0;

	for (size_t row = 1; row < grid->rows; row++) {
		const char *cell = grid->cells[row * grid->columns + last];

		paths += cell && *cell == '/';
	}
	for (size_t i = 0; i < last; i++)
		used += layout->widths[i] + 1;
	return paths && used > layout->output->width;
}

/* The column that is missed least; false: all of them are needed. */
static bool find_spare(const struct grid *grid, size_t *column)
{
	int most = 0;

	for (size_t i = 0; i < grid->columns; i++) {
		if (grid->spare[i] < most || !grid->spare[i])
			continue;
		most = grid->spare[i];
		*column = i;
	}
	return most;
}

static void remove_column(struct table_layout *layout, size_t column)
{
	struct grid *grid = layout->grid;
	size_t to = 0, columns = grid->columns, rest = columns - 1 - column;

	for (size_t from = 0; from < grid->rows * columns; from++) {
		if (from % columns == column)
			free(grid->cells[from]);
		else
			grid->cells[to++] = grid->cells[from];
	}
	memmove(&grid->kinds[column], &grid->kinds[column + 1], rest * sizeof(*grid->kinds));
	memmove(&grid->spare[column], &grid->spare[column + 1], rest * sizeof(*grid->spare));
	memmove(&layout->widths[column], &layout->widths[column + 1], rest * sizeof(*layout->widths));
	grid->columns--;
}

/* Cuts the text before the word that does not fit, if there is one. A path is broken instead: its end tells most. */
static void shorten(char **cell, size_t room)
{
	size_t length = 0, used = 0, kept = 0, columns;

	if (escape__width(*cell) <= room || **cell == '/')
		return;
	while ((*cell)[length]) {
		size_t next = escape__character(*cell + length, &columns);

		if ((*cell)[length] == ' ')
			kept = length;
		used += columns;
		if (used + 4 > room)
			break;
		length += next;
	}
	if (kept)
		text__replace(cell, "%.*s ...", (int)kept, *cell);
}

/* The text with the most to give that is not the last column, if there is one. */
static size_t widest_text(const struct table_layout *layout)
{
	size_t widest = SIZE_MAX, most = 0;

	for (size_t i = 0; i + 1 < layout->grid->columns; i++) {
		if (layout->grid->kinds[i] != COLUMN_TEXT || layout->widths[i] <= most ||
		    layout__least(layout, i) >= layout->widths[i])
			continue;
		most = layout->widths[i];
		widest = i;
	}
	return widest;
}

static void narrow(struct table_layout *layout, size_t column, size_t width)
{
	struct grid *grid = layout->grid;
	const size_t least = layout__least(layout, column);

	layout->widths[column] = width > least ? width : least;
	for (size_t row = 1; row < grid->rows; row++)
		if (grid->cells[row * grid->columns + column])
			shorten(&grid->cells[row * grid->columns + column], layout->widths[column]);
}

static void narrow_texts(struct table_layout *layout)
{
	size_t column = widest_text(layout), before;

	while (column != SIZE_MAX && least_width(layout) > layout->output->width) {
		const size_t excess = least_width(layout) - layout->output->width;

		before = layout->widths[column];
		narrow(layout, column, before > excess ? before - excess : 1);
		column = layout->widths[column] < before ? widest_text(layout) : SIZE_MAX;
	}
}

char *layout__leave_out(struct table_layout *layout)
{
	char *names = NULL;
	size_t column;

	if (!layout->output->width)
		return NULL;
	while ((least_width(layout) > layout->output->width || crowds_paths(layout)) &&
	       find_spare(layout->grid, &column)) {
		text__replace(&names, "%s%s%s", names ? names : "", names ? ", " : "", layout->grid->cells[column]);
		remove_column(layout, column);
	}
	narrow_texts(layout);
	return names;
}

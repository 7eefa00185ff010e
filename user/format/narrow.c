// SPDX-License-Identifier: GPL-2.0-or-later
/* A table that is wider than the terminal: leaves out columns, and shortens texts between words. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/layout.h"

/* Columns of the longest word of a text, but not more than `most`. */
static size_t longest_word(const char *text, size_t most)
{
	size_t longest = 0, used = 0, columns;

	while (*text) {
		bool blank = *text == ' ';

		text += escape__character(text, &columns);
		used = blank ? 0 : used + columns;
		if (used > longest)
			longest = used;
	}
	return longest < most ? longest : most;
}

/* Columns that the last text needs so that no word is broken; half a page is enough for any. */
static size_t least_of_last(const struct table_layout *layout)
{
	const struct grid *grid = layout->grid;
	size_t last = grid->columns - 1, least = layout->widths[last];

	if (grid->kinds[last] != COLUMN_TEXT)
		return least;
	if (least > SHORT_TEXT)
		least = SHORT_TEXT;
	for (size_t row = 0; row < grid->rows; row++) {
		const char *cell = grid->cells[row * grid->columns + last];
		size_t width = cell ? longest_word(cell, layout->output->width / 2) : 0;

		if (width > least)
			least = width;
	}
	return least;
}

static size_t least_width(const struct table_layout *layout)
{
	size_t used = least_of_last(layout);

	for (size_t i = 0; i + 1 < layout->grid->columns; i++)
		used += layout->widths[i] + 1;
	return used;
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
	memmove(&layout->widths[column], &layout->widths[column + 1],
		rest * sizeof(*layout->widths));
	grid->columns--;
}

/* Cuts the text before the word that does not fit, if there is one. */
static void shorten(char **cell, size_t room)
{
	size_t length = 0, used = 0, kept = 0, columns;

	if (escape__width(*cell) <= room)
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

/* The widest text that is not the last column, if there is one. */
static size_t widest_text(const struct table_layout *layout)
{
	size_t widest = SIZE_MAX;

	for (size_t i = 0; i + 1 < layout->grid->columns; i++)
		if (layout->grid->kinds[i] == COLUMN_TEXT &&
		    (widest == SIZE_MAX || layout->widths[i] > layout->widths[widest]))
			widest = i;
	return widest;
}

static void shorten_widest(struct table_layout *layout)
{
	struct grid *grid = layout->grid;
	size_t column = widest_text(layout), needed = least_width(layout);
	size_t excess = needed > layout->output->width ? needed - layout->output->width : 0;

	if (!excess || column == SIZE_MAX || excess >= layout->widths[column])
		return;
	layout->widths[column] -= excess;
	for (size_t row = 0; row < grid->rows; row++)
		if (grid->cells[row * grid->columns + column])
			shorten(&grid->cells[row * grid->columns + column], layout->widths[column]);
}

char *layout__leave_out(struct table_layout *layout)
{
	char *names = NULL;
	size_t column;

	if (!layout->output->width)
		return NULL;
	while (least_width(layout) > layout->output->width && find_spare(layout->grid, &column)) {
		text__replace(&names, "%s%s%s", names ? names : "", names ? ", " : "",
			      layout->grid->cells[column]);
		remove_column(layout, column);
	}
	shorten_widest(layout);
	return names;
}

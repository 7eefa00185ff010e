// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/pieces.h"

static void make_safe(struct grid *grid, bool utf8)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++) {
		char *cell = grid->cells[i];

		if (!cell)
			continue;
		grid->cells[i] = escape__text(cell, utf8);
		free(cell);
	}
}

static void draw_tree(struct grid *grid, bool utf8)
{
	autofree char **prefixes = tree__prefixes(grid, utf8);

	for (size_t row = 1; row < grid->rows; row++) {
		char **cell = &grid->cells[row * grid->columns];

		text__replace(cell, "%s%s", prefixes[row - 1], *cell);
		free(prefixes[row - 1]);
	}
}

/* Columns of the widest text below the title. */
static size_t width_below(const struct grid *grid, size_t column)
{
	size_t widest = 0;

	for (size_t row = 1; row < grid->rows; row++) {
		const char *cell = grid->cells[row * grid->columns + column];
		size_t width = cell ? escape__width(cell) : 0;

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Columns of a title on two lines, the first of which has `length` bytes. */
static size_t width_of_lines(const char *title, size_t length)
{
	autofree char *first = text__of("%.*s", (int)length, title);
	size_t upper = escape__width(first), lower = escape__width(title + length + 1);

	return upper > lower ? upper : lower;
}

/*
 * Where a title is to be broken: at the blank that makes it narrowest, if it is wider than all below it. 0: nowhere;
 * neither "% time", which stands as in strace, nor the last text, which has room. A sign stays with its
 * word: "- copied".
 */
static size_t title_break(const struct grid *grid, size_t column)
{
	const char *title = grid->cells[column];
	const bool is_last_text = column == grid->columns - 1 && grid->kinds[column] == COLUMN_TEXT;
	size_t best = 0, narrowest = escape__width(title);

	if (is_last_text || *title == '%' || narrowest <= width_below(grid, column))
		return 0;
	for (size_t i = 1; title[i] && title[i + 1]; i++) {
		size_t width = title[i] == ' ' && i > 1 ? width_of_lines(title, i) : SIZE_MAX;

		if (width >= narrowest)
			continue;
		narrowest = width;
		best = i;
	}
	return best;
}

static size_t title_width(const struct grid *grid, size_t column)
{
	const size_t at = title_break(grid, column);

	return at ? width_of_lines(grid->cells[column], at) : escape__width(grid->cells[column]);
}

struct table_layout layout__of(struct grid *grid, const struct table_output *output)
{
	struct table_layout layout = { .grid = grid, .output = output };

	layout.widths = checked_calloc(grid->columns, sizeof(*layout.widths));
	layout.is_broken = checked_calloc(grid->columns, sizeof(*layout.is_broken));
	make_safe(grid, output->utf8);
	if (grid->is_tree)
		draw_tree(grid, output->utf8);
	for (size_t i = 0; i < grid->columns; i++) {
		size_t title = title_width(grid, i), below = width_below(grid, i);

		layout.widths[i] = title > below ? title : below;
	}
	return layout;
}

void layout__free(struct table_layout *layout)
{
	free(layout->widths);
	free(layout->is_broken);
}

static size_t shortened(size_t width)
{
	return width < SHORT_TEXT ? width : SHORT_TEXT;
}

static char *dashes(size_t width)
{
	char *text = checked_calloc(width + 1, 1);

	memset(text, '-', width);
	return text;
}

/* A rule is no longer than what text can shrink to, so that it is never cut or wrapped. */
static void draw_rules(struct table_layout *layout)
{
	struct grid *grid = layout->grid;

	for (size_t i = 0; i < grid->rows * grid->columns; i++) {
		size_t column = i % grid->columns, width = layout->widths[column];

		if (layout->output->width && grid->kinds[column] == COLUMN_TEXT)
			width = shortened(width);
		if (!grid->cells[i])
			grid->cells[i] = dashes(width);
	}
}

/* libsmartcols shrinks a column to its header, no further. */
static void widen_headers(struct table_layout *layout)
{
	for (size_t i = 0; i < layout->grid->columns; i++) {
		char **header = &layout->grid->cells[i];
		size_t width = shortened(layout->widths[i]), used = escape__width(*header);

		if (layout->grid->kinds[i] == COLUMN_TEXT && used < width)
			text__replace(header, "%s%*s", *header, (int)(width - used), "");
	}
}

size_t layout__least(const struct table_layout *layout, size_t column)
{
	const struct grid *grid = layout->grid;
	const size_t half = layout->output->width / 2, most = half > LONG_TEXT ? half : LONG_TEXT;
	size_t least = layout->widths[column];

	if (grid->kinds[column] != COLUMN_TEXT)
		return least;
	least = shortened(least);
	for (size_t row = layout->has_two_titles ? 2 : 1; row < grid->rows; row++) {
		const char *cell = grid->cells[row * grid->columns + column];
		const size_t longest = cell ? pieces__longest(cell) : 0;

		least = longest > least && longest <= most ? longest : least;
	}
	return least;
}

/* libsmartcols would break or cut them at any character. */
static void break_texts(struct table_layout *layout, size_t column, size_t room)
{
	struct grid *grid = layout->grid;

	for (size_t row = 1; row < grid->rows; row++) {
		char **cell = &grid->cells[row * grid->columns + column], *text = *cell;

		if (escape__width(text) <= room)
			continue;
		*cell = pieces__lines(text, room);
		layout->is_broken[column] = true;
		free(text);
	}
}

/* Columns that are left for the last one, if they are enough: only a long piece goes beyond. */
static size_t room_of_last(const struct table_layout *layout)
{
	const size_t last = layout->grid->columns - 1, least = shortened(layout->widths[last]);
	size_t others = 0;

	for (size_t column = 0; column < last; column++)
		others += layout->widths[column] + 1;
	return others + least > layout->output->width ? least : layout->output->width - others;
}

/* A row below the titles, for the lower lines of these. Nobody asks any more which rows are parents. */
static void insert_row(struct grid *grid)
{
	const size_t columns = grid->columns;

	grid->rows++;
	grid->cells = checked(reallocarray(grid->cells, grid->rows * columns, sizeof(*grid->cells)));
	memmove(grid->cells + 2 * columns, grid->cells + columns, (grid->rows - 2) * columns * sizeof(*grid->cells));
}

/* The titles become two rows, if one is broken; the other ones stand in the lower row. */
static void break_titles(struct table_layout *layout)
{
	struct grid *grid = layout->grid;
	autofree size_t *breaks = checked_calloc(grid->columns, sizeof(*breaks));

	for (size_t i = 0; i < grid->columns; i++) {
		breaks[i] = title_break(grid, i);
		layout->has_two_titles |= breaks[i] > 0;
	}
	if (layout->has_two_titles)
		insert_row(grid);
	for (size_t i = 0; i < grid->columns && layout->has_two_titles; i++) {
		char *title = grid->cells[i];

		grid->cells[i] = text__of("%.*s", (int)breaks[i], title);
		grid->cells[grid->columns + i] = checked_strdup(title + breaks[i] + (breaks[i] ? 1 : 0));
		free(title);
	}
}

void layout__fit(struct table_layout *layout)
{
	const size_t columns = layout->grid->columns;

	break_titles(layout);
	draw_rules(layout);
	if (!layout->output->width)
		return;
	widen_headers(layout);
	for (size_t i = 0; i < columns; i++)
		if (layout->grid->kinds[i] == COLUMN_TEXT)
			break_texts(layout, i, i + 1 < columns ? layout->widths[i] : room_of_last(layout));
}

static size_t columns_that_fit(const struct table_layout *layout, size_t first)
{
	size_t count = layout->grid->columns - first, used = layout->widths[0];

	for (size_t i = 0; layout->output->width && i < count; i++) {
		used += 1 + layout->widths[first + i];
		if (used > layout->output->width && i)
			return i;
	}
	return count;
}

struct grid *layout__take_columns(const struct table_layout *layout, size_t first, size_t *count)
{
	const struct grid *all = layout->grid;
	struct grid *grid = checked_calloc(1, sizeof(*grid));

	*count = columns_that_fit(layout, first);
	grid->rows = all->rows;
	grid->columns = 1 + *count;
	grid->cells = checked_calloc(grid->rows * grid->columns, sizeof(*grid->cells));
	grid->kinds = checked_calloc(grid->columns, sizeof(*grid->kinds));
	grid->spare = checked_calloc(grid->columns, sizeof(*grid->spare));
	for (size_t i = 0; i < grid->rows * grid->columns; i++) {
		size_t column = i % grid->columns, from = column ? first + column - 1 : 0;
		const char *cell = all->cells[i / grid->columns * all->columns + from];

		grid->cells[i] = cell ? checked_strdup(cell) : NULL;
		grid->kinds[column] = all->kinds[from];
	}
	return grid;
}

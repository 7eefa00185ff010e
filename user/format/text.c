// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for people, laid out by libsmartcols. */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/layout.h"
#include "format/wrap.h"

/* Wider than any table: what fits the terminal is decided in layout.c. libsmartcols would cut inside words. */
enum { WIDTH_OF_ANY = 1 << 20 };

static int column_flags(const struct table_layout *layout, size_t column)
{
	if (layout->grid->kinds[column] != COLUMN_TEXT)
		return SCOLS_FL_RIGHT;
	return layout->is_broken[column] ? SCOLS_FL_WRAP : 0;
}

static void make_columns(struct libscols_table *view, const struct table_layout *layout)
{
	const struct grid *grid = layout->grid;

	for (size_t i = 0; i < grid->columns; i++) {
		struct libscols_column *column = checked(scols_table_new_column(view, grid->cells[i], 0, 0));

		scols_column_set_flags(column, column_flags(layout, i));
		if (grid->kinds[i] != COLUMN_TEXT)
			scols_column_set_whint(column, layout->widths[i]);
		if (layout->is_broken[i])
			scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
		if (layout->output->colour)
			scols_cell_set_color(scols_column_get_header(column), "\033[1m");
	}
}

static void make_lines(struct libscols_table *view, const struct table_layout *layout)
{
	const struct grid *grid = layout->grid;

	for (size_t row = 1; row < grid->rows; row++) {
		struct libscols_line *line = checked(scols_table_new_line(view, NULL));

		for (size_t column = 0; column < grid->columns; column++) {
			if (scols_line_set_data(line, column, grid->cells[row * grid->columns + column]) < 0)
				err(125, "cannot print a table");
			if (row == 1 && layout->has_two_titles && layout->output->colour)
				scols_cell_set_color(scols_line_get_cell(line, column), "\033[1m");
		}
	}
}

/* libsmartcols pads empty cells at the end of a line; in a mail that is only in the way. */
static void print_trimmed(const char *text, FILE *stream)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		size_t kept = length;

		while (kept && text[kept - 1] == ' ')
			kept--;
		fwrite(text, 1, kept, stream);
		putc('\n', stream);
		text += length + (text[length] == '\n');
	}
}

static void print_layout(struct table_layout *layout)
{
	struct libscols_table *view = checked(scols_new_table());
	autofree char *text = NULL;

	layout__fit(layout);
	scols_table_enable_noencoding(view, 1); /* escaped already */
	scols_table_enable_colors(view, layout->output->colour);
	if (layout->output->width) {
		scols_table_set_termforce(view, SCOLS_TERMFORCE_ALWAYS);
		scols_table_set_termwidth(view, WIDTH_OF_ANY);
	} else {
		scols_table_set_termforce(view, SCOLS_TERMFORCE_NEVER);
	}
	make_columns(view, layout);
	make_lines(view, layout);
	if (scols_print_table_to_string(view, &text) == 0 && text)
		print_trimmed(text, layout->output->stream);
	scols_unref_table(view);
}

/* The columns that fit, then, after an empty line, those that do not. */
static void print_in_parts(const struct table_layout *layout)
{
	size_t count;

	for (size_t first = 1; first < layout->grid->columns; first += count) {
		struct grid *grid = layout__take_columns(layout, first, &count);
		struct table_layout part = layout__of(grid, layout->output);

		if (first > 1)
			putc('\n', layout->output->stream);
		print_layout(&part);
		layout__free(&part);
		grid__free(grid);
	}
}

static void say_left_out(char *names, const struct table_output *output)
{
	autofree char *text = text__of("(this terminal is too narrow for: %s)", names);

	wrap__print(NULL, text, 0, 0, output);
	free(names);
}

void format__text(struct grid *grid, const struct table_output *output)
{
	struct table_layout layout = layout__of(grid, output);

	if (grid->title)
		wrap__title(grid->title, output);
	if (grid->continues_below) {
		print_in_parts(&layout);
	} else {
		char *left_out = layout__leave_out(&layout);

		print_layout(&layout);
		if (left_out)
			say_left_out(left_out, output);
	}
	layout__free(&layout);
}

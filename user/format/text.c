// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for people, laid out by libsmartcols. */
#include <err.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "format/grid.h"
#include "format/wrap.h"

static void *checked(void *memory)
{
	if (!memory)
		err(125, "cannot print a table");
	return memory;
}

/*
 * To fit the terminal, text at the end of a line is wrapped and other text is cut; a number never
 * is, for a part of it is another number.
 */
static int column_flags(const struct table *table, size_t column, unsigned int width)
{
	if (table->columns[column].align == ALIGN_RIGHT)
		return SCOLS_FL_RIGHT;
	if (!width)
		return 0;
	return column == table->column_count - 1 ? SCOLS_FL_WRAP : SCOLS_FL_TRUNC;
}

static void add_columns(struct libscols_table *view, const struct table *table,
			const struct grid *grid, const struct table_output *output)
{
	for (size_t i = 0; i < table->column_count; i++) {
		struct libscols_column *column =
			checked(scols_table_new_column(view, grid->cells[i], 0, 0));

		scols_column_set_flags(column, column_flags(table, i, output->width));
		if (table->columns[i].align == ALIGN_RIGHT)
			scols_column_set_whint(column, grid->widths[i]);
		if (grid->is_broken && i == table->column_count - 1)
			scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						  scols_wrapnl_nextchunk, NULL);
		if (output->colour)
			scols_cell_set_color(scols_column_get_header(column), "\033[1m");
	}
}

static void add_lines(struct libscols_table *view, const struct grid *grid)
{
	for (size_t row = 1; row < grid->rows; row++) {
		struct libscols_line *line = checked(scols_table_new_line(view, NULL));

		for (size_t column = 0; column < grid->columns; column++)
			if (scols_line_set_data(line, column,
						grid->cells[row * grid->columns + column]) < 0)
				err(125, "cannot print a table");
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

void table__print_text(const struct table *table, const struct table_output *output)
{
	struct libscols_table *view = checked(scols_new_table());
	struct grid *grid = grid__new(table, output);
	char *text = NULL;

	if (table->title)
		wrap__title(table->title, output);
	scols_table_enable_noencoding(view, 1); /* escaped already */
	scols_table_enable_colors(view, output->colour);
	if (output->width) {
		scols_table_set_termforce(view, SCOLS_TERMFORCE_ALWAYS);
		scols_table_set_termwidth(view, output->width);
	} else {
		scols_table_set_termforce(view, SCOLS_TERMFORCE_NEVER);
	}
	add_columns(view, table, grid, output);
	add_lines(view, grid);
	if (scols_print_table_to_string(view, &text) == 0 && text)
		print_trimmed(text, output->stream);
	free(text);
	scols_unref_table(view);
	grid__free(grid);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON lines: each row of a table as an object on a line of its own, with the name of the table and the
 * headers as keys. A cell that is empty (0 in some columns, does not apply) or not known is null.
 */
#include "format/escape.h"
#include "format/grid.h"

static void print_value(const struct grid *grid, size_t cell, FILE *stream)
{
	if (grid__is_empty(grid, cell))
		fputs("null", stream);
	else if (grid->is_number[cell])
		fputs(grid->cells[cell], stream);
	else
		escape__quote(stream, grid->cells[cell]);
}

void format__json_lines(struct grid *grid, const struct table_output *output)
{
	FILE *stream = output->stream;

	for (size_t row = 1; row < grid->rows; row++) {
		fputs("{\"table\":", stream);
		escape__quote(stream, grid->title);
		for (size_t column = 0; column < grid->columns; column++) {
			putc(',', stream);
			escape__quote(stream, grid->cells[column]);
			putc(':', stream);
			print_value(grid, row * grid->columns + column, stream);
		}
		fputs("}\n", stream);
	}
}

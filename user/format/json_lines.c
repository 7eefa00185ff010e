// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON lines: each row of a table as an object on a line of its own, with the name of the table and the
 * headers as keys. A cell that is empty (0 in some columns, does not apply) or not known is null.
 */
#include <stdlib.h>

#include "format/escape.h"
#include "format/grid.h"

/* What escape__text() leaves is printable UTF-8: only two characters mean something to JSON. */
static void print_string(const char *text, FILE *stream)
{
	char *safe = escape__text(text, true);

	putc('"', stream);
	for (const char *c = safe; *c; c++) {
		if (*c == '"' || *c == '\\')
			putc('\\', stream);
		putc(*c, stream);
	}
	putc('"', stream);
	free(safe);
}

static void print_value(const struct grid *grid, size_t cell, FILE *stream)
{
	if (grid__is_empty(grid, cell))
		fputs("null", stream);
	else if (grid->is_number[cell])
		fputs(grid->cells[cell], stream);
	else
		print_string(grid->cells[cell], stream);
}

void format__json_lines(struct grid *grid, const struct table_output *output)
{
	FILE *stream = output->stream;

	for (size_t row = 1; row < grid->rows; row++) {
		fputs("{\"table\":", stream);
		print_string(grid->title ? grid->title : "", stream);
		for (size_t column = 0; column < grid->columns; column++) {
			putc(',', stream);
			print_string(grid->cells[column], stream);
			putc(':', stream);
			print_value(grid, row * grid->columns + column, stream);
		}
		fputs("}\n", stream);
	}
}

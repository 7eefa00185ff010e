// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables as CSV (RFC 4180), one after the other with a line "# title" before each. Control
 * characters are escaped as on a terminal, so that a line of output is a row of the table.
 */
#include <stdlib.h>
#include <string.h>

#include "format/csv.h"
#include "base/autofree.h"
#include "format/escape.h"

void csv__field(const char *text, FILE *stream)
{
	autofree char *safe = escape__text(text, true);

	if (!strpbrk(safe, ",\"")) {
		fputs(safe, stream);
	} else {
		putc('"', stream);
		for (const char *c = safe; *c; c++) {
			if (*c == '"')
				putc('"', stream);
			putc(*c, stream);
		}
		putc('"', stream);
	}
}

void csv__end_line(FILE *stream)
{
	fputs("\r\n", stream);
}

static void print_title(const char *title, FILE *stream)
{
	autofree char *safe = escape__text(title, true);

	fprintf(stream, "# %s", safe);
	csv__end_line(stream);
}

void csv__cell(const struct grid *grid, size_t cell, FILE *stream)
{
	if (grid->is_number[cell])
		fputs(grid->cells[cell], stream);
	else
		csv__field(grid->cells[cell], stream);
}

void format__csv(struct grid *grid, const struct table_output *output)
{
	FILE *stream = output->stream;

	if (grid->title)
		print_title(grid->title, stream);
	for (size_t row = 0; row < grid->rows; row++) {
		for (size_t column = 0; column < grid->columns; column++) {
			if (column)
				putc(',', stream);
			csv__cell(grid, row * grid->columns + column, stream);
		}
		csv__end_line(stream);
	}
}

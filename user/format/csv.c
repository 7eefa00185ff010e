// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables as CSV (RFC 4180), one after the other with a line "# title" before each. Control
 * characters are escaped as on a terminal, so that a line of output is a row of the table.
 */
#include <stdlib.h>
#include <string.h>

#include "format/escape.h"
#include "format/table_data.h"

static void print_field(const char *text, FILE *stream)
{
	char *safe = escape__text(text, true);

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
	free(safe);
}

static void end_line(FILE *stream)
{
	fputs("\r\n", stream);
}

static void print_title(const char *title, FILE *stream)
{
	char *safe = escape__text(title, true);

	fprintf(stream, "# %s", safe);
	end_line(stream);
	free(safe);
}

void table__print_csv(const struct table *table, const struct table_output *output)
{
	FILE *stream = output->stream;

	if (table->title)
		print_title(table->title, stream);
	for (size_t column = 0; column < table->column_count; column++) {
		if (column)
			putc(',', stream);
		print_field(table->columns[column].header, stream);
	}
	end_line(stream);
	for (size_t row = 0; row < table->row_count; row++) {
		if (table->rows[row].is_rule)
			continue;
		for (size_t column = 0; column < table->column_count; column++) {
			if (column)
				putc(',', stream);
			print_field(table__cell(table, row, column), stream);
		}
		end_line(stream);
	}
}

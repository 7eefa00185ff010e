// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables as Markdown, with the pipes that GitHub and hyperfine use; a title is a bold line. */
#include <stdlib.h>
#include <string.h>

#include "format/escape.h"
#include "format/table_data.h"

/* What would end a cell, or begin something else in it. */
static void print_text(const char *text, FILE *stream)
{
	char *safe = escape__text(text, true);

	for (const char *c = safe; *c; c++) {
		if (strchr("|\\`*_<[", *c))
			putc('\\', stream);
		putc(*c, stream);
	}
	free(safe);
}

static void print_rule(const struct table *table, FILE *stream)
{
	for (size_t column = 0; column < table->column_count; column++)
		fputs(table->columns[column].align == ALIGN_RIGHT ? "|---:" : "|:---", stream);
	fputs("|\n", stream);
}

void table__print_markdown(const struct table *table, const struct table_output *output)
{
	FILE *stream = output->stream;

	if (table->title) {
		fputs("**", stream);
		print_text(table->title, stream);
		fputs("**\n\n", stream);
	}
	for (size_t column = 0; column < table->column_count; column++) {
		fputs("| ", stream);
		print_text(table->columns[column].header, stream);
		putc(' ', stream);
	}
	fputs("|\n", stream);
	print_rule(table, stream);
	for (size_t row = 0; row < table->row_count; row++) {
		if (table->rows[row].is_rule)
			continue;
		for (size_t column = 0; column < table->column_count; column++) {
			fputs("| ", stream);
			print_text(table__cell(table, row, column), stream);
			putc(' ', stream);
		}
		fputs("|\n", stream);
	}
}

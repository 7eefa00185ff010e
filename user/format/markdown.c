// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables as Markdown, with the pipes that GitHub and hyperfine use; a title is a bold line. */
#include <stdlib.h>

#include "format/escape.h"
#include "format/grid.h"

static void print_text(const char *text, FILE *stream)
{
	char *safe = escape__markdown(text);

	fputs(safe, stream);
	free(safe);
}

static void print_rule(const struct grid *grid, FILE *stream)
{
	for (size_t column = 0; column < grid->columns; column++)
		fputs(grid->kinds[column] == COLUMN_TEXT ? "|:---" : "|---:", stream);
	fputs("|\n", stream);
}

void format__markdown(struct grid *grid, const struct table_output *output)
{
	FILE *stream = output->stream;

	if (grid->title) {
		fputs("**", stream);
		print_text(grid->title, stream);
		fputs("**\n", stream);
	}
	putc('\n', stream); /* or the line above would belong to the table */
	for (size_t row = 0; row < grid->rows; row++) {
		if (grid__is_rule(grid, row))
			continue;
		for (size_t column = 0; column < grid->columns; column++) {
			fputs("| ", stream);
			print_text(grid->cells[row * grid->columns + column], stream);
			putc(' ', stream);
		}
		fputs("|\n", stream);
		if (!row)
			print_rule(grid, stream);
	}
	putc('\n', stream); /* or the next line would be another row */
}

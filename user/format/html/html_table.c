// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables as HTML: a body for the rows up to a rule, another for those below, which are not sorted
 * with them. */
#include "format/grid.h"

#include <stdlib.h>

#include "format/html/html_page.h"

/* A picture of words: what stands in front of a tree's row. */
static void put_cell(const struct grid *grid, size_t row, size_t column, const char *prefix,
		     FILE *stream)
{
	bool is_text = grid->kinds[column] == COLUMN_TEXT;
	const char *text = grid->cells[row * grid->columns + column];

	fputs(is_text ? "<td>" : "<td class=\"n\">", stream);
	if (prefix && *prefix && !column)
		fprintf(stream, "<span class=\"tree\" aria-hidden=\"true\">%s</span>", prefix);
	html__text(stream, text);
	fputs("</td>", stream);
}

static void put_headers(const struct grid *grid, FILE *stream)
{
	fputs("<thead><tr>", stream);
	for (size_t column = 0; column < grid->columns; column++) {
		fputs(grid->kinds[column] == COLUMN_TEXT ? "<th scope=\"col\">"
							 : "<th scope=\"col\" class=\"n\">",
		      stream);
		html__text(stream, grid->cells[column]);
		fputs("</th>", stream);
	}
	fputs("</tr></thead>\n<tbody>\n", stream);
}

static void put_rows(const struct grid *grid, char **prefixes, FILE *stream)
{
	for (size_t row = 1; row < grid->rows; row++) {
		if (grid__is_rule(grid, row)) {
			if (row > 1)
				fputs("</tbody>\n<tbody>\n", stream);
			continue;
		}
		fputs("<tr>", stream);
		for (size_t column = 0; column < grid->columns; column++)
			put_cell(grid, row, column, prefixes ? prefixes[row - 1] : NULL, stream);
		fputs("</tr>\n", stream);
	}
}

void format__html(struct grid *grid, const struct table_output *output)
{
	char **prefixes = grid->is_tree ? tree__prefixes(grid, true) : NULL;
	FILE *stream;

	if (grid->title)
		html_page__heading(output->page, grid->title);
	stream = html_page__markup(output->page);
	fprintf(stream, "<div class=\"wide\" tabindex=\"0\"><table%s>\n",
		grid->is_tree ? " class=\"tree\"" : grid->keeps_order ? " class=\"ordered\"" : "");
	put_headers(grid, stream);
	put_rows(grid, prefixes, stream);
	fputs("</tbody></table></div>\n", stream);
	for (size_t row = 0; prefixes && row + 1 < grid->rows; row++)
		free(prefixes[row]);
	free(prefixes);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables as HTML: a body for the rows up to a rule, another for those below, which are not sorted
 * with them. */
#include "format/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/html/html_page.h"

enum { WHOLE_MOST = 40 }; /* bytes of a word that is not broken */

/* Browsers break lines at hyphens, too: not inside an option, or an address. Long words have to be. */
static bool is_whole(const char *word)
{
	return strchr(word, '-') && word[1] && strlen(word) <= WHOLE_MOST;
}

static void put_words(const char *text, FILE *stream)
{
	char *copy = checked_strdup(text), *rest = copy, *word;

	while ((word = strsep(&rest, " "))) {
		const bool whole = is_whole(word);

		fputs(whole ? "<span class=\"whole\">" : "", stream);
		html__text(stream, word);
		fputs(whole ? "</span>" : "", stream);
		if (rest)
			putc(' ', stream);
	}
	free(copy);
}

/* A picture of words: what stands in front of a tree's row. */
static void put_cell(const struct grid *grid, size_t row, size_t column, const char *prefix, FILE *stream)
{
	const bool is_text = grid->kinds[column] == COLUMN_TEXT;
	const char *text = grid->cells[row * grid->columns + column];

	fputs(is_text ? "<td>" : "<td class=\"n\">", stream);
	if (prefix && *prefix && !column)
		fprintf(stream, "<span class=\"tree\" aria-hidden=\"true\">%s</span>", prefix);
	if (is_text)
		put_words(text, stream);
	else
		html__text(stream, text);
	fputs("</td>", stream);
}

static void put_headers(const struct grid *grid, FILE *stream)
{
	fputs("<thead><tr>", stream);
	for (size_t column = 0; column < grid->columns; column++) {
		fputs(grid->kinds[column] == COLUMN_TEXT ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">",
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

/* Rows of long tables that are there at first; page.css knows the number, too. */
enum { FOLDED_ROWS = 20, LONG_ROWS = 30 };

/* How many rows are to be folded: in each body those behind the first ones, if any body is long. */
static size_t folded_rows(const struct grid *grid)
{
	size_t folded = 0, rows = 0, longest = 0;

	for (size_t row = 1; row < grid->rows; row++) {
		rows = grid__is_rule(grid, row) ? 0 : rows + 1;
		folded += rows > FOLDED_ROWS;
		longest = rows > longest ? rows : longest;
	}
	return longest > LONG_ROWS ? folded : 0;
}

static void put_table(const struct grid *grid, char **prefixes, FILE *stream)
{
	fprintf(stream, "<div class=\"wide\" tabindex=\"0\"><table%s>\n",
		grid->is_tree ? " class=\"tree\"" : grid->keeps_order ? " class=\"ordered\"" : "");
	put_headers(grid, stream);
	put_rows(grid, prefixes, stream);
	fputs("</tbody></table></div>\n", stream);
}

void format__html(struct grid *grid, const struct table_output *output)
{
	const size_t folded = folded_rows(grid);

	char **prefixes = grid->is_tree ? tree__prefixes(grid, true) : NULL;
	FILE *stream;

	if (grid->title)
		html_page__heading(output->page, grid->title);
	stream = html_page__markup(output->page);
	/* Before the table, so that style alone can unfold the rows; it is shown below. */
	if (folded)
		fprintf(stream, "<div class=\"long\"><details><summary>%zu more rows</summary></details>\n", folded);
	put_table(grid, prefixes, stream);
	if (folded)
		fputs("</div>\n", stream);
	for (size_t row = 0; prefixes && row + 1 < grid->rows; row++)
		free(prefixes[row]);
	free(prefixes);
}

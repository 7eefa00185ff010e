// SPDX-License-Identifier: GPL-2.0-or-later
/* The only file that knows which formats there are. */
#include <stdlib.h>

#include "format/escape.h"
#include "format/grid.h"
#include "format/wrap.h"

static const struct format {
	void (*print)(struct grid *grid, const struct table_output *output);
	enum table_view view;
	bool has_colour, is_markup;
} formats[TABLE_STYLE_COUNT] = {
#define FORMAT(id, name, view, colour, markup) [TABLE_##id] = { format__##name, view, colour, markup },
#include "format/formats.def"
#undef FORMAT
};

enum table_view table_output__view(const struct table_output *output)
{
	return formats[output->style].view;
}

bool table_style__has_colour(enum table_style style)
{
	return formats[style].has_colour;
}

void table__print(const struct table *table, const struct table_output *output)
{
	struct grid *grid = grid__new(table, table_output__view(output));

	formats[output->style].print(grid, output);
	grid__free(grid);
}

void table__finish(struct table *table, const struct table_output *output)
{
	table__print(table, output);
	table__free(table);
}

void table__show(struct table *table, const struct table_output *output)
{
	if (!table || !table__has_rows_for(table, table_output__view(output))) {
		table__free(table);
		return;
	}
	if (table_output__view(output) == VIEW_READING)
		putc('\n', output->stream);
	table__finish(table, output);
}

char *table_output__safe(const struct table_output *output, const char *text)
{
	return formats[output->style].is_markup ? escape__markdown(text)
						: escape__text(text, output->utf8);
}

void wrap__paragraph(const char *label, char *text, const struct table_output *output)
{
	wrap__labelled(label, text, output);
	wrap__separate(output);
}

void wrap__separate(const struct table_output *output)
{
	if (formats[output->style].is_markup)
		putc('\n', output->stream);
}

void wrap__title(const char *title, const struct table_output *output)
{
	const char *mark = formats[output->style].is_markup ? "**" : "";
	char *safe = table_output__safe(output, title);

	fprintf(output->stream, output->colour ? "\033[1m%s%s%s\033[0m\n" : "%s%s%s\n", mark, safe,
		mark);
	wrap__separate(output);
	free(safe);
}

struct table_output picture__begin(const struct table_output *output)
{
	struct table_output picture = *output;

	if (formats[output->style].is_markup)
		fputs("```\n", output->stream);
	picture.style = TABLE_TEXT;
	return picture;
}

void picture__end(const struct table_output *output)
{
	if (formats[output->style].is_markup)
		fputs("```\n\n", output->stream);
}

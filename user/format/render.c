// SPDX-License-Identifier: GPL-2.0-or-later
/* The only file that knows which formats there are. */
#include "format/grid.h"
#include "format/wrap.h"

static const struct format {
	void (*print)(struct grid *grid, const struct table_output *output);
	enum table_view view;
	bool has_colour;
	const char *between_paragraphs;
} formats[TABLE_STYLE_COUNT] = {
#define FORMAT(id, name, view, colour, between) [TABLE_##id] = { format__##name, view, colour, between },
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

void wrap__paragraph(const char *label, char *text, const struct table_output *output)
{
	wrap__labelled(label, text, output);
	fputs(formats[output->style].between_paragraphs, output->stream);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/grid.h"

static void (*const formats[TABLE_STYLE_COUNT])(struct grid *grid, const struct table_output *output) = {
#define FORMAT(id, name, view, colour) [TABLE_##id] = format__##name,
#include "format/formats.def"
#undef FORMAT
};

void table__print(const struct table *table, const struct table_output *output)
{
	struct grid *grid = grid__new(table, table_output__view(output));

	formats[output->style](grid, output);
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

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All tables as one, for data frames: a line for each cell with something in it: its table, row (from
 * 1 on) and column it is. The line with the names is printed once (table_output__begin()).
 */
#include "format/csv.h"
#include "format/grid.h"

void format__csv_long(struct grid *grid, const struct table_output *output)
{
	for (size_t row = 1; row < grid->rows; row++) {
		for (size_t column = 0; column < grid->columns; column++) {
			const size_t cell = row * grid->columns + column;

			if (grid__is_empty(grid, cell))
				continue;
			csv__field(grid->title ? grid->title : "", output->stream);
			fprintf(output->stream, ",%zu,", row);
			csv__field(grid->cells[column], output->stream);
			putc(',', output->stream);
			csv__cell(grid, cell, output->stream);
			csv__end_line(output->stream);
		}
	}
}

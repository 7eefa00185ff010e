/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table as the text that a terminal will show: safe to print, and measured.
 */
#ifndef FORKTAX_GRID_H
#define FORKTAX_GRID_H

#include "format/table_data.h"

/* All texts of a table as they will be printed; row 0 holds the headers. */
struct grid {
	size_t rows, columns;
	char **cells;
	size_t *widths; /* of the columns */
};

struct grid *grid__new(const struct table *table, const struct table_output *output);
void grid__free(struct grid *grid);

#endif

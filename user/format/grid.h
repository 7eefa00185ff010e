/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table as the text that a terminal will show: safe to print, and measured.
 */
#ifndef FORKTAX_FORMAT_GRID_H
#define FORKTAX_FORMAT_GRID_H

#include "format/table_data.h"

/* Text of this many columns is never cut: a system call or a fault class stays whole. */
enum { GRID_SHORT_TEXT = 16 };

/* All texts of a table as they will be printed; row 0 holds the headers. */
struct grid {
	size_t rows, columns;
	char **cells;
	size_t *widths; /* of the columns, before anything is broken */
	bool is_broken; /* cells of the last column are several lines, each ending in a newline */
};

struct grid *grid__new(const struct table *table, const struct table_output *output);
void grid__free(struct grid *grid);
/*
 * Breaks the texts of the last column between words, if all other columns fit `width` as they are
 * and it does not. Returns whether it did.
 */
bool grid__wrap_last(struct grid *grid, size_t width);

#endif

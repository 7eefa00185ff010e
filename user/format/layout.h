/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A grid as a terminal will show it: safe to print, measured, and broken into lines.
 */
#ifndef FORKTAX_FORMAT_LAYOUT_H
#define FORKTAX_FORMAT_LAYOUT_H

#include "format/grid.h"

/* Text of this many columns is never broken: a system call or a fault class stays whole. */
enum { SHORT_TEXT = 16 };
/* No column is left out for a longer piece of text, if that is more than half a page: the terminal wraps its line. */
enum { LONG_TEXT = 40 };

struct table_layout {
	struct grid *grid; /* its cells are changed */
	const struct table_output *output;
	size_t *widths; /* of the columns; the last text is broken later, to what the others leave */
	bool *is_broken; /* of the columns: cells may hold several lines */
	bool has_two_titles; /* rows of titles */
};

/* Columns that a text needs so that none of its pieces is broken. Others need their width. */
size_t layout__least(const struct table_layout *layout, size_t column);
/* Escapes and measures all cells, and draws the lines of a tree. */
struct table_layout layout__of(struct grid *grid, const struct table_output *output);
/*
 * Removes columns that can be spared, as far as the terminal is too narrow, and then shortens texts. Returns
 * the names of the columns, to be freed; NULL: none.
 */
char *layout__leave_out(struct table_layout *layout);
/*
 * Draws rules, and breaks titles that are wider than their column, and texts that do not fit the terminal: between
 * words, and behind the slashes of a path. Nothing is cut; a longer word makes the table wider than the terminal.
 */
void layout__fit(struct table_layout *layout);
void layout__free(struct table_layout *layout); /* not the grid */

/*
 * A grid of the first column and of those from `first` on, as many as fit the terminal, at least
 * one. Stores how many those are.
 */
struct grid *layout__take_columns(const struct table_layout *layout, size_t first, size_t *count);

#endif

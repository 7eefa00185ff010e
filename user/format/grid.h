/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What one kind of reader sees of a table, as texts: the input of the renderers.
 */
#ifndef FORKTAX_FORMAT_GRID_H
#define FORKTAX_FORMAT_GRID_H

#include "format/table.h"

struct grid {
	const char *title; /* the table's; NULL: none */
	size_t rows, columns; /* row 0 holds the headers */
	char **cells; /* row after row; those of a rule are NULL */
	enum column_kind *kinds; /* of the columns */
	int *spare; /* of the columns: which a narrow terminal can do without, the largest first; 0: not */
	bool *is_number; /* of the cells: a number as programs write it */
	size_t *parents; /* of the rows: an index of a row, or NO_PARENT */
	bool is_tree, continues_below, keeps_order;
};

/* An estimate is three columns for programs. */
struct grid *grid__new(const struct table *table, enum table_view view);
void grid__free(struct grid *grid);

static inline bool grid__is_rule(const struct grid *grid, size_t row)
{
	return grid->columns && !grid->cells[row * grid->columns];
}

/* What is drawn in front of each row of a tree; the array and its strings are to be freed. */
char **tree__prefixes(const struct grid *grid, bool utf8);

/* The renderers. They may change the cells. */
#define FORMAT(id, name, view, colour) \
	void format__##name(struct grid *grid, const struct table_output *output);
#include "format/formats.def"
#undef FORMAT

#endif

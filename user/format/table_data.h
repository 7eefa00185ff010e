/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a table holds, for the files that render it.
 */
#ifndef FORKTAX_FORMAT_TABLE_DATA_H
#define FORKTAX_FORMAT_TABLE_DATA_H

#include "format/table.h"

#define NO_PARENT SIZE_MAX

struct table_column {
	char *header;
	enum table_align align;
};

struct table_row {
	size_t first; /* index of its first cell in table.cells */
	size_t cells;
	size_t parent; /* index of a row, or NO_PARENT */
	bool is_rule;
};

struct table {
	char *title;
	struct table_column *columns;
	size_t column_count;
	struct table_row *rows;
	size_t row_count;
	char **cells;
	size_t cell_count;
	bool is_tree;
};

/* The cell, "" where the row has none. */
const char *table__cell(const struct table *table, size_t row, size_t column);

/* Lines in front of a tree's rows, one string each; array and strings are to be freed. */
char **tree__prefixes(const struct table *table, bool utf8);

void table__print_text(const struct table *table, const struct table_output *output);
void table__print_csv(const struct table *table, const struct table_output *output);
void table__print_markdown(const struct table *table, const struct table_output *output);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The contents of a table, private to this folder.
 */
#ifndef FORKTAX_FORMAT_TABLE_DATA_H
#define FORKTAX_FORMAT_TABLE_DATA_H

#include "format/table.h"

struct column;

#define NO_PARENT SIZE_MAX

struct table_column {
	char *header, *key; /* key NULL: the header */
	enum column_kind kind;
	enum table_view view; /* 0: left out */
	int spare; /* column.h */
	enum column_need need; /* in `needed_view`; elsewhere it is always shown */
	enum table_view needed_view;
};

struct table_row {
	size_t first; /* index of its first cell in table.cells */
	size_t cells;
	size_t parent; /* index of a row, or NO_PARENT */
	enum table_view view;
	bool is_rule;
};

struct table {
	char *title, *data_title; /* data_title NULL: the same */
	struct table_column *columns;
	size_t column_count;
	struct table_row *rows;
	size_t row_count;
	struct cell *cells;
	size_t cell_count;
	bool is_tree, continues_below, keeps_order;
	/* The description of its columns, unless they were added by hand. */
	const struct column *described;
	size_t described_count;
	const void *subject;
};

/* Removes the rows from `first` on. */
void table__cut(struct table *table, size_t first);
/* The cell; NULL where the row has none. */
const struct cell *table__cell(const struct table *table, size_t row, size_t column);

#endif

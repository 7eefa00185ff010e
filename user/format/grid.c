// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/grid.h"

#include "base/memory.h"
#include "base/text.h"
#include "format/table_data.h"

/* A grid in the making. */
struct making {
	const struct table *table;
	struct grid *grid;
	enum table_view view;
	size_t filled; /* cells */
};

static bool is_seen(const struct making *making, enum table_view view)
{
	return view & making->view;
}

/* How many columns of the grid a column of the table is. */
static int fields_of(const struct making *making, const struct table_column *column)
{
	if (!is_seen(making, column->view))
		return 0;
	return making->view == VIEW_DATA && column->kind == COLUMN_ESTIMATE ? FIELD_COUNT : 1;
}

static void measure(struct making *making)
{
	const struct table *table = making->table;

	making->grid->rows = 1;
	for (size_t row = 0; row < table->row_count; row++)
		making->grid->rows += is_seen(making, table->rows[row].view);
	for (size_t column = 0; column < table->column_count; column++)
		making->grid->columns += fields_of(making, &table->columns[column]);
}

static bool has_one_estimate(const struct table *table)
{
	size_t estimates = 0;

	for (size_t i = 0; i < table->column_count; i++)
		estimates += table->columns[i].kind == COLUMN_ESTIMATE;
	return estimates == 1;
}

/* "low", or "faults low" where others have bounds, too. */
static char *header_of(const struct making *making, const struct table_column *column, int field)
{
	static const char *const bounds[FIELD_COUNT] = { "", "low", "high" };
	const char *name = making->view == VIEW_DATA && column->key ? column->key : column->header;

	if (field == FIELD_VALUE)
		return checked_strdup(name);
	if (has_one_estimate(making->table))
		return checked_strdup(bounds[field]);
	return text__of("%s %s", name, bounds[field]);
}

static void put(struct making *making, char *text, bool is_number)
{
	making->grid->is_number[making->filled] = is_number;
	making->grid->cells[making->filled++] = text;
}

static void add_headers(struct making *making)
{
	for (size_t i = 0; i < making->table->column_count; i++) {
		const struct table_column *column = &making->table->columns[i];

		for (int field = 0; field < fields_of(making, column); field++) {
			making->grid->kinds[making->filled] = column->kind;
			making->grid->spare[making->filled] = column->spare;
			put(making, header_of(making, column, field), false);
		}
	}
}

static char *text_of(const struct making *making, const struct cell *cell, int field)
{
	if (!cell)
		return checked_strdup("");
	return making->view == VIEW_DATA ? cell__data(cell, field) : cell__reading(cell);
}

static void add_cells(struct making *making, size_t row)
{
	for (size_t i = 0; i < making->table->column_count; i++) {
		const struct cell *cell = table__cell(making->table, row, i);
		bool is_number = cell && cell->kind >= CELL_COUNT;

		for (int field = 0; field < fields_of(making, &making->table->columns[i]); field++) {
			char *text = text_of(making, cell, field);

			put(making, text, is_number && *text);
		}
	}
}

static void add_rows(struct making *making)
{
	const struct table *table = making->table;
	struct grid *grid = making->grid;
	size_t *row_of = checked_calloc(table->row_count, sizeof(*row_of)), at = 0;

	for (size_t row = 0; row < table->row_count; row++) {
		const struct table_row *line = &table->rows[row];

		if (!is_seen(making, line->view))
			continue;
		row_of[row] = at;
		grid->parents[at++] = line->parent < row ? row_of[line->parent] : NO_PARENT;
		if (line->is_rule)
			making->filled += grid->columns;
		else
			add_cells(making, row);
	}
	free(row_of);
}

struct grid *grid__new(const struct table *table, enum table_view view)
{
	struct grid *grid = checked_calloc(1, sizeof(*grid));
	struct making making = { .table = table, .grid = grid, .view = view };

	grid->title = view == VIEW_DATA && table->data_title ? table->data_title : table->title;
	grid->is_tree = table->is_tree;
	grid->keeps_order = table->keeps_order;
	grid->continues_below = table->continues_below;
	measure(&making);
	grid->cells = checked_calloc(grid->rows * grid->columns, sizeof(*grid->cells));
	grid->is_number = checked_calloc(grid->rows * grid->columns, sizeof(*grid->is_number));
	grid->kinds = checked_calloc(grid->columns, sizeof(*grid->kinds));
	grid->spare = checked_calloc(grid->columns, sizeof(*grid->spare));
	grid->parents = checked_calloc(grid->rows, sizeof(*grid->parents));
	add_headers(&making);
	add_rows(&making);
	return grid;
}

void grid__free(struct grid *grid)
{
	for (size_t i = 0; i < grid->rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->cells);
	free(grid->kinds);
	free(grid->spare);
	free(grid->is_number);
	free(grid->parents);
	free(grid);
}

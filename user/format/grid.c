// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/grid.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/table_data.h"

/* A grid in the making. */
struct builder {
	const struct table *table;
	struct grid *grid;
	enum table_view view;
	size_t filled; /* cells */
	int *fields; /* how many columns of the grid each column of the table is */
	int *decimals; /* of each column of the table, where its numbers may be whole */
	int *common; /* the decimals that its numbers have in common (cell__in()) */
};

enum { DECIMALS_OF_MEANS = 2 };

static bool is_seen(const struct builder *builder, enum table_view view)
{
	return view & builder->view;
}

static bool has_anything(const struct builder *builder, const struct table_column *column)
{
	const struct table *table = builder->table;

	for (size_t row = 0; row < table->row_count; row++) {
		const struct cell *cell = table__cell(table, row, column - table->columns);

		if (cell && is_seen(builder, table->rows[row].view) && cell__is_known(cell) &&
		    !(column->need == SHOWN_IF_ANY && cell__is_zero(cell)))
			return true;
	}
	return false;
}

static bool is_needed(const struct builder *builder, const struct table_column *column)
{
	return column->need == SHOWN_ALWAYS || !is_seen(builder, column->needed_view) || has_anything(builder, column);
}

static int count_fields(const struct builder *builder, const struct table_column *column)
{
	if (!is_seen(builder, column->view) || !is_needed(builder, column))
		return 0;
	return builder->view == VIEW_DATA && column->kind == COLUMN_ESTIMATE ? CELL_FIELD_COUNT : 1;
}

/* Of DECIMALS_UNLESS_WHOLE: where one row needs decimals, all of the column have them. */
static int decimals_of(const struct builder *builder, size_t column)
{
	for (size_t row = 0; row < builder->table->row_count; row++) {
		const struct cell *cell = table__cell(builder->table, row, column);

		if (cell && cell->decimals == DECIMALS_UNLESS_WHOLE &&
		    is_seen(builder, builder->table->rows[row].view) &&
		    !number__is_whole(cell->value, DECIMALS_OF_MEANS))
			return DECIMALS_OF_MEANS;
	}
	return 0;
}

static int common_decimals(const struct builder *builder, size_t column)
{
	struct decimals decimals = { 0 };

	for (size_t row = 0; row < builder->table->row_count; row++) {
		const struct cell *cell = table__cell(builder->table, row, column);

		if (cell && is_seen(builder, builder->table->rows[row].view))
			cell__see(cell, &decimals);
	}
	return decimals__of(&decimals);
}

static void measure(struct builder *builder)
{
	const struct table *table = builder->table;

	builder->grid->rows = 1;
	for (size_t row = 0; row < table->row_count; row++)
		builder->grid->rows += is_seen(builder, table->rows[row].view);
	builder->fields = checked_calloc(table->column_count, sizeof(*builder->fields));
	builder->decimals = checked_calloc(table->column_count, sizeof(*builder->decimals));
	builder->common = checked_calloc(table->column_count, sizeof(*builder->common));
	for (size_t column = 0; column < table->column_count; column++) {
		builder->fields[column] = count_fields(builder, &table->columns[column]);
		builder->decimals[column] = decimals_of(builder, column);
		builder->common[column] = common_decimals(builder, column);
		builder->grid->columns += builder->fields[column];
	}
}

static bool has_one_estimate(const struct table *table)
{
	size_t estimates = 0;

	for (size_t i = 0; i < table->column_count; i++)
		estimates += table->columns[i].kind == COLUMN_ESTIMATE;
	return estimates == 1;
}

/* "low", or "faults low" where others have bounds, too. */
static char *header_of(const struct builder *builder, const struct table_column *column, int field)
{
	static const char *const bounds[CELL_FIELD_COUNT] = { "", "low", "high" };
	const char *name = builder->view == VIEW_DATA && column->key ? column->key : column->header;

	if (field == CELL_VALUE)
		return checked_strdup(name);
	if (has_one_estimate(builder->table))
		return checked_strdup(bounds[field]);
	return text__of("%s %s", name, bounds[field]);
}

static void put(struct builder *builder, char *text, bool is_number)
{
	builder->grid->is_number[builder->filled] = is_number;
	builder->grid->cells[builder->filled++] = text;
}

static void add_headers(struct builder *builder)
{
	for (size_t i = 0; i < builder->table->column_count; i++) {
		const struct table_column *column = &builder->table->columns[i];

		for (int field = 0; field < builder->fields[i]; field++) {
			builder->grid->kinds[builder->filled] = column->kind;
			builder->grid->spare[builder->filled] = column->spare;
			put(builder, header_of(builder, column, field), false);
		}
	}
}

static char *text_of(const struct builder *builder, const struct cell *cell, size_t column, int field)
{
	struct cell shown;

	if (!cell)
		return checked_strdup("");
	shown = *cell;
	if (shown.decimals == DECIMALS_UNLESS_WHOLE)
		shown.decimals = builder->decimals[column];
	return builder->view == VIEW_DATA ? cell__data(&shown, field) : cell__reading(&shown, builder->common[column]);
}

static void add_cells(struct builder *builder, size_t row)
{
	for (size_t i = 0; i < builder->table->column_count; i++) {
		const struct cell *cell = table__cell(builder->table, row, i);
		bool is_number = cell && cell->kind >= CELL_COUNT;

		for (int field = 0; field < builder->fields[i]; field++) {
			char *text = text_of(builder, cell, i, field);

			put(builder, text, is_number && *text);
		}
	}
}

static void add_rows(struct builder *builder)
{
	const struct table *table = builder->table;
	struct grid *grid = builder->grid;
	size_t *row_of = checked_calloc(table->row_count, sizeof(*row_of)), at = 0;

	for (size_t row = 0; row < table->row_count; row++) {
		const struct table_row *line = &table->rows[row];

		if (!is_seen(builder, line->view))
			continue;
		row_of[row] = at;
		grid->parents[at++] = line->parent < row ? row_of[line->parent] : NO_PARENT;
		if (line->is_rule)
			builder->filled += grid->columns;
		else
			add_cells(builder, row);
	}
	free(row_of);
}

struct grid *grid__new(const struct table *table, enum table_view view)
{
	struct grid *grid = checked_calloc(1, sizeof(*grid));
	struct builder builder = { .table = table, .grid = grid, .view = view };

	grid->title = view == VIEW_DATA && table->data_title ? table->data_title : table->title;
	grid->is_tree = table->is_tree;
	grid->keeps_order = table->keeps_order;
	grid->continues_below = table->continues_below;
	measure(&builder);
	grid->cells = checked_calloc(grid->rows * grid->columns, sizeof(*grid->cells));
	grid->is_number = checked_calloc(grid->rows * grid->columns, sizeof(*grid->is_number));
	grid->kinds = checked_calloc(grid->columns, sizeof(*grid->kinds));
	grid->spare = checked_calloc(grid->columns, sizeof(*grid->spare));
	grid->parents = checked_calloc(grid->rows, sizeof(*grid->parents));
	add_headers(&builder);
	add_rows(&builder);
	free(builder.fields);
	free(builder.decimals);
	free(builder.common);
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

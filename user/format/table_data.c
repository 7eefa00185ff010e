// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/table_data.h"

#include "base/memory.h"

struct table *table__titled(char *title, char *data_title)
{
	struct table *table = checked_calloc(1, sizeof(*table));

	table->title = title;
	table->data_title = data_title;
	return table;
}

struct table *table__new(const char *title)
{
	return table__titled(title ? checked_strdup(title) : NULL, NULL);
}

void table__free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->column_count; i++) {
		free(table->columns[i].header);
		free(table->columns[i].key);
	}
	for (size_t i = 0; i < table->cell_count; i++)
		cell__free(&table->cells[i]);
	free(table->columns);
	free(table->rows);
	free(table->cells);
	free(table->title);
	free(table->data_title);
	free(table);
}

void table__drop_title(struct table *table)
{
	free(table->title);
	table->title = NULL;
}

void table__may_continue_below(struct table *table)
{
	table->continues_below = true;
}

void table__keep_order(struct table *table)
{
	table->keeps_order = true;
}

void table__put_column(struct table *table, const char *header, enum column_kind kind, enum table_view view)
{
	table->columns = checked_grow(table->columns, table->column_count, sizeof(*table->columns));
	table->columns[table->column_count++] = (struct table_column){
		.header = checked_strdup(header),
		.kind = kind,
		.view = view,
	};
}

void table__column(struct table *table, const char *header, enum column_kind kind)
{
	table__put_column(table, header, kind, VIEW_BOTH);
}

void table__name_column(struct table *table, const char *key)
{
	table->columns[table->column_count - 1].key = checked_strdup(key);
}

void table__need_column(struct table *table, enum table_view view, enum column_need need)
{
	table->columns[table->column_count - 1].need = need;
	table->columns[table->column_count - 1].needed_view = view;
}

void table__spare_column(struct table *table, int spare)
{
	table->columns[table->column_count - 1].spare = spare;
}

static void begin_row(struct table *table, size_t parent, enum table_view view, bool is_rule)
{
	table->rows = checked_grow(table->rows, table->row_count, sizeof(*table->rows));
	table->rows[table->row_count++] = (struct table_row){
		.first = table->cell_count,
		.parent = parent,
		.view = view,
		.is_rule = is_rule,
	};
}

void table__row_for(struct table *table, enum table_view view)
{
	begin_row(table, NO_PARENT, view, false);
}

void table__row(struct table *table)
{
	table__row_for(table, VIEW_BOTH);
}

void table__row_below(struct table *table, size_t parent)
{
	table->is_tree = true;
	begin_row(table, parent, VIEW_BOTH, false);
}

void table__rule(struct table *table)
{
	begin_row(table, NO_PARENT, VIEW_READING, true);
}

void table__put(struct table *table, struct cell cell)
{
	table->cells = checked_grow(table->cells, table->cell_count, sizeof(*table->cells));
	table->cells[table->cell_count++] = cell;
	table->rows[table->row_count - 1].cells++;
}

void table__cut(struct table *table, size_t first)
{
	while (table->row_count > first) {
		for (size_t i = table->rows[--table->row_count].cells; i; i--)
			cell__free(&table->cells[--table->cell_count]);
	}
}

void table__text(struct table *table, const char *text)
{
	table__put(table, cell__text(text));
}

void table__count(struct table *table, uint64_t count)
{
	table__put(table, cell__count(count));
}

size_t table__rows(const struct table *table)
{
	return table->row_count;
}

bool table__has_rows_for(const struct table *table, enum table_view view)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (!table->rows[i].is_rule && (table->rows[i].view & view))
			return true;
	return false;
}

const struct cell *table__cell(const struct table *table, size_t row, size_t column)
{
	const struct table_row *line = &table->rows[row];

	return column < line->cells ? &table->cells[line->first + column] : NULL;
}

void table__named_row(struct table *table, const char *name)
{
	table__row(table);
	table__text(table, name);
}

void table__heading(struct table *table, const char *text)
{
	if (table__rows(table))
		table__rule(table);
	table__named_row(table, text);
}

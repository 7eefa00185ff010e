// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/table_data.h"

#include <err.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (!memory)
		err(125, "cannot hold a table");
	return memory;
}

/* Room for one more of `count` elements; grows by doubling, so that powers of two are the seams. */
static void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return checked(reallocarray(array, count ? 2 * count : 1, size));
}

struct table *table__new(const char *title)
{
	struct table *table = checked(calloc(1, sizeof(*table)));

	table->title = title ? checked(strdup(title)) : NULL;
	return table;
}

void table__free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->column_count; i++)
		free(table->columns[i].header);
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	free(table->columns);
	free(table->rows);
	free(table->cells);
	free(table->title);
	free(table);
}

void table__column(struct table *table, const char *header, enum table_align align)
{
	table->columns = grow(table->columns, table->column_count, sizeof(*table->columns));
	table->columns[table->column_count++] = (struct table_column){
		.header = checked(strdup(header)),
		.align = align,
	};
}

static void add_row(struct table *table, size_t parent, bool is_rule)
{
	table->rows = grow(table->rows, table->row_count, sizeof(*table->rows));
	table->rows[table->row_count++] = (struct table_row){
		.first = table->cell_count,
		.parent = parent,
		.is_rule = is_rule,
	};
}

void table__row(struct table *table)
{
	add_row(table, NO_PARENT, false);
}

void table__row_below(struct table *table, size_t parent)
{
	table->is_tree = true;
	add_row(table, parent, false);
}

void table__rule(struct table *table)
{
	add_row(table, NO_PARENT, true);
}

/* Takes the text over. */
static void add_cell(struct table *table, char *text)
{
	table->cells = grow(table->cells, table->cell_count, sizeof(*table->cells));
	table->cells[table->cell_count++] = checked(text);
	table->rows[table->row_count - 1].cells++;
}

void table__text(struct table *table, const char *text)
{
	add_cell(table, strdup(text ? text : ""));
}

void table__count(struct table *table, uint64_t count)
{
	if (count == UINT64_MAX)
		table__text(table, "-");
	else
		table__format(table, "%" PRIu64, count);
}

void table__format(struct table *table, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	add_cell(table, length < 0 ? NULL : text);
}

size_t table__rows(const struct table *table)
{
	return table->row_count;
}

const char *table__cell(const struct table *table, size_t row, size_t column)
{
	const struct table_row *line = &table->rows[row];

	return column < line->cells ? table->cells[line->first + column] : "";
}

void table__print(const struct table *table, const struct table_output *output)
{
	if (output->style == TABLE_CSV)
		table__print_csv(table, output);
	else if (output->style == TABLE_MARKDOWN)
		table__print_markdown(table, output);
	else
		table__print_text(table, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"

#include "base/autofree.h"
#include "base/text.h"
#include "format/table_data.h"

static bool is_repeated(const struct column *column)
{
	return column->repeat || column->repeat_of;
}

/* How many columns a row of the description stands for. */
static int repeats(const struct column *column, const void *subject)
{
	if (column->repeat_of)
		return column->repeat_of(subject);
	return column->repeat ? column->repeat : 1;
}

static int index_of(const struct column *column, int number)
{
	return is_repeated(column) ? number : column->index;
}

static enum table_view view_of(const struct column *column, const void *subject, int index)
{
	enum table_view view = column->view ? column->view : VIEW_BOTH;
	const bool *flag = (const bool *)((const char *)subject + column->condition);

	if (!column->is_conditional || flag[is_repeated(column) ? index : 0])
		return view;
	return column->data_always ? view & VIEW_DATA : 0;
}

static const char *name_of(const struct column *column, int index)
{
	return *(const char *const *)((const char *)column->names + index * column->name_step);
}

/* To be freed. */
static char *header_of(const struct column *column, const void *subject, int index)
{
	if (column->header_of)
		return column->header_of(column, subject, index);
	return text__of("%s", column->repeat ? name_of(column, index) : column->header);
}

static void add_one(struct table *table, const struct column *column, int index)
{
	autofree char *header = header_of(column, table->subject, index);

	table__put_column(table, header, column->kind, view_of(column, table->subject, index));
	table__spare_column(table, column->spare);
	table__need_column(table, column->data_always ? VIEW_READING : VIEW_BOTH, column->need);
	if (column->key)
		table__name_column(table, column->key);
}

void table__columns(struct table *table, const struct column *columns, size_t count, const void *subject)
{
	table->described = columns;
	table->described_count = count;
	table->subject = subject;
	for (size_t i = 0; i < count; i++)
		for (int number = 0; number < repeats(&columns[i], subject); number++)
			add_one(table, &columns[i], index_of(&columns[i], number));
}

static struct cell count_of(const struct column *column, uint64_t count)
{
	if ((column->unless_zero && !count) || (column->unless_absent && count == UINT64_MAX))
		return cell__blank();
	return column->words ? cell__worded(cell__count(count), column->words(count)) : cell__count(count);
}

static struct cell cell_of(const struct column *column, const void *subject, const void *row, int index)
{
	const char *field = (const char *)row + column->offset;
	int element = is_repeated(column) ? index : 0;

	if (column->cell)
		return column->cell(subject, row, index);
	if (column->is_cell)
		return ((const struct cell *)field)[element];
	if (column->kind == COLUMN_COUNT)
		return count_of(column, ((const uint64_t *)field)[element]);
	if (column->kind == COLUMN_NUMBER)
		return cell__number(((const double *)field)[element], column->decimals);
	if (column->names && !is_repeated(column))
		return cell__text(name_of(column, *(const int *)field));
	return cell__text(((const char *const *)field)[element]);
}

static void fill(struct table *table, const void *row)
{
	size_t at = 0;

	for (size_t i = 0; i < table->described_count; i++) {
		const struct column *column = &table->described[i];

		for (int number = 0; number < repeats(column, table->subject); number++, at++)
			table__put(table, column->cell && !table->columns[at].view
						  ? cell__blank()
						  : cell_of(column, table->subject, row, index_of(column, number)));
	}
}

void table__add_for(struct table *table, enum table_view view, const void *row)
{
	table__row_for(table, view);
	fill(table, row);
}

void table__add(struct table *table, const void *row)
{
	table__add_for(table, VIEW_BOTH, row);
}

void table__add_below(struct table *table, size_t parent, const void *row)
{
	table__row_below(table, parent);
	fill(table, row);
}

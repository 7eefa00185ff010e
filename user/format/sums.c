// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that others add up to: those that a limit leaves out, and the total. */
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/table_data.h"

/* An unknown value adds nothing; a sum of unknown values alone is unknown. */
static void add_cell(struct cell *sum, const struct cell *cell)
{
	if (cell->kind != CELL_COUNT && cell->kind != CELL_NUMBER) {
		if (sum->kind == CELL_BLANK && cell->kind == CELL_ABSENT)
			*sum = cell__absent();
		return;
	}
	if (sum->kind != cell->kind)
		*sum = (struct cell){ .kind = cell->kind, .form = cell->form, .scale = cell->scale,
				      .decimals = cell->decimals };
	sum->count += cell->count;
	sum->value += cell->value;
}

static struct cell sum_of(const struct table *table, size_t first, size_t column)
{
	struct cell sum = cell__blank();

	for (size_t row = first; row < table->row_count; row++) {
		const struct cell *cell = table__cell(table, row, column);

		if (cell)
			add_cell(&sum, cell);
	}
	return sum;
}

/* The first column, if it is of text; else the last one that is. */
static size_t column_of_names(const struct table *table)
{
	size_t column = 0;

	if (table->columns[0].kind == COLUMN_TEXT)
		return 0;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].kind == COLUMN_TEXT)
			column = i;
	return column;
}

/* Replaces the rows from `first` on, or follows the last one. */
static void add_sum(struct table *table, size_t first, bool replaces, const char *name)
{
	autofree struct cell *sums = checked_calloc(table->column_count, sizeof(*sums));

	for (size_t i = 0; i < table->column_count; i++)
		sums[i] = i == column_of_names(table) ? cell__text(name) : sum_of(table, first, i);
	if (replaces)
		table__cut(table, first);
	else
		table__rule(table);
	table__row(table);
	for (size_t i = 0; i < table->column_count; i++)
		table__put(table, sums[i]);
}

/* Of those since the last rule. */
static size_t first_row(const struct table *table)
{
	size_t first = table->row_count;

	while (first && !table->rows[first - 1].is_rule)
		first--;
	return first;
}

size_t table__most(size_t count, size_t most)
{
	return count > most && count - most > 1 ? most : count;
}

static void join_from(struct table *table, size_t first, const char *things)
{
	autofree char *name = text__of("(%zu other %s)", table->row_count - first, things);

	add_sum(table, first, true, name);
}

void table__limit(struct table *table, size_t most, const char *things)
{
	const size_t first = first_row(table), count = table->row_count - first;

	if (table__most(count, most) < count)
		join_from(table, first + most, things);
}

void table__total(struct table *table, const char *name)
{
	add_sum(table, 0, false, name);
}

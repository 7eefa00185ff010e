// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"

struct compare_figure {
	const char *label, *section, *key;
	struct cell value;
	const char *changed, *state;
};

static const struct column figure_columns[] = {
	{ "column", TEXT_OF(struct compare_figure, label) },
	{ "section", TEXT_OF(struct compare_figure, section) },
	{ "key", TEXT_OF(struct compare_figure, key) },
	{ "value", COLUMN_ESTIMATE, CELL_OF(struct compare_figure, value) },
	{ "moved", TEXT_OF(struct compare_figure, changed) },
	{ "state", TEXT_OF(struct compare_figure, state) },
};

static void add_facts(struct table *table, const struct compare_column *column)
{
	for (size_t i = 0; i < compare_fact_count && column->facts; i++) {
		const struct compare_fact *fact = &compare_facts[i];
		const struct compare_figure figure = { column->label, "file", fact->key,
						       fact->of(column->facts), NULL, NULL };

		if (figure.value.kind != CELL_ABSENT)
			table__add(table, &figure);
	}
}

static void add_time(struct table *table, const char *label, const char *key, const struct estimate *time)
{
	const struct compare_figure figure = { label, "time", key, cell__of_estimate(time, NULL), NULL, NULL };

	table__add(table, &figure);
}

static void add_traced_time(struct table *table, const char *label, const struct spread *time)
{
	const struct compare_figure figure = { label, "time", "traced_wall_ns", cell__spread(time, NULL), NULL, NULL };

	table__add(table, &figure);
}

static void add_row(struct table *table, const char *label, const struct compare_row *row, size_t index)
{
	const struct compare_figure figures[] = {
		{ label, compare_section_keys[row->section], row->key, cell__spread(&row->cells[index], NULL),
		  row->moves[index] == MOVE_NONE ? NULL : compare_move_keys[row->moves[index]],
		  row->states ? row->states[index] : NULL },
		{ label, "start_ratio", row->key,
		  row->ratios ? cell__of_estimate(&row->ratios[index], NULL) : cell__absent(), NULL, NULL },
	};

	table__add(table, &figures[0]);
	if (row->ratios)
		table__add(table, &figures[1]);
}

static void add_figures(struct table *table, const struct comparison *comparison, size_t index,
			const struct report_options *options)
{
	const struct compare_column *column = &comparison->columns[index];

	add_facts(table, column);
	for (size_t i = 0; i < comparison->row_count; i++)
		if (compare__shows(options, &comparison->rows[i]))
			add_row(table, column->label, &comparison->rows[i], index);
	add_time(table, column->label, "wall_ns", &comparison->timings[index].wall);
	add_time(table, column->label, "ratio", &comparison->timings[index].ratio);
	add_traced_time(table, column->label, &comparison->timings[index].traced_wall);
}

struct table *compare__figures(const struct comparison *comparison, const struct report_options *options)
{
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, figure_columns, NULL);
	for (size_t i = 0; i < comparison->column_count; i++)
		add_figures(table, comparison, i, options);
	return table;
}

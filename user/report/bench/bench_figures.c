// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "format/column.h"
#include "report/bench/bench_report.h"
#include "report/cells.h"

struct bench_figure {
	const char *row, *column, *state, *figure;
	struct cell value;
	const char *baseline, *reason;
};

static const struct column bench_columns[] = {
	{ "row", TEXT_OF(struct bench_figure, row) },
	{ "column", TEXT_OF(struct bench_figure, column) },
	{ "state", TEXT_OF(struct bench_figure, state) },
	{ "figure", TEXT_OF(struct bench_figure, figure) },
	{ "value", COLUMN_ESTIMATE, CELL_OF(struct bench_figure, value) },
	{ "baseline", TEXT_OF(struct bench_figure, baseline) },
	{ "reason", TEXT_OF(struct bench_figure, reason) },
};

static struct bench_figure figure_of(const struct bench *bench, size_t cell)
{
	return (struct bench_figure){
		.row = bench->rows[cell / bench->column_count].name,
		.column = bench->columns[cell % bench->column_count].name,
		.state = bench_state_keys[bench->cells[cell].state],
	};
}

/* Adds the estimate if it is known. */
static void add_estimate(struct table *table, struct bench_figure figure, const char *key,
			 const struct estimate *estimate)
{
	figure.figure = key;
	figure.value = cell__of_estimate(estimate, NULL);
	if (estimate->known)
		table__add(table, &figure);
}

static void add_measured(struct table *table, const struct bench_analysis *analysis, size_t cell)
{
	const struct bench *bench = analysis->bench;
	const struct bench_figures *figures = &analysis->cells[cell];
	struct bench_figure figure = figure_of(bench, cell);

	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++)
		add_estimate(table, figure, metric_counters[metric].key, &figures->metrics[metric]);
	add_estimate(table, figure, "ops_per_s", &figures->rate);
	for (size_t i = 0; i < bench->baseline_count; i++) {
		figure.baseline = bench->baselines[i].name;
		add_estimate(table, figure, "ratio", &figures->ratios[i]);
	}
	figure.baseline = NULL;
	for (int count = 0; count < PER_OP_COUNT; count++) {
		double value = bench->cells[cell].per_op[count];

		figure.figure = per_op_counters[count].key;
		figure.value = cell__number(value, DECIMALS_ALL);
		if (!isnan(value))
			table__add(table, &figure);
	}
}

struct table *bench__figures(const struct bench_analysis *analysis)
{
	const struct bench *bench = analysis->bench;
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, bench_columns, NULL);
	for (size_t i = 0; i < bench->cell_count; i++) {
		struct bench_figure figure = figure_of(bench, i);

		figure.reason = bench->cells[i].reason;
		if (bench->cells[i].state == BENCH_MEASURED)
			add_measured(table, analysis, i);
		else
			table__add(table, &figure);
	}
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "report/bench/bench_tables.h"

static void start(struct table *table, const struct bench *bench, size_t cell, const char *figure)
{
	table__row(table);
	table__text(table, bench->rows[cell / bench->column_count].name);
	table__text(table, bench->columns[cell % bench->column_count].name);
	table__text(table, bench_state_keys[bench->cells[cell].state]);
	table__text(table, figure);
}

static void add_estimate(struct table *table, const struct estimate *estimate)
{
	table__format(table, "%.15g", estimate->value);
	if (!estimate->bounded)
		return;
	table__format(table, "%.15g", estimate->low);
	table__format(table, "%.15g", estimate->high);
}

static void add_ratios(struct table *table, const struct bench_analysis *analysis, size_t cell)
{
	const struct bench *bench = analysis->bench;

	for (size_t i = 0; i < bench->baseline_count; i++) {
		const struct estimate *ratio = &analysis->cells[cell].ratios[i];

		if (!ratio->known)
			continue;
		start(table, bench, cell, "ratio");
		add_estimate(table, ratio);
		for (int empty = ratio->bounded ? 0 : 2; empty; empty--)
			table__text(table, "");
		table__text(table, bench->baselines[i].name);
	}
}

static void add_cell(struct table *table, const struct bench_analysis *analysis, size_t cell)
{
	const struct bench *bench = analysis->bench;
	const struct bench_figures *figures = &analysis->cells[cell];

	if (bench->cells[cell].state != BENCH_MEASURED) {
		start(table, bench, cell, "");
		for (int empty = 0; empty < 4; empty++)
			table__text(table, "");
		table__text(table, bench->cells[cell].reason);
		return;
	}
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		if (!figures->metrics[metric].known)
			continue;
		start(table, bench, cell, metric_counters[metric].key);
		add_estimate(table, &figures->metrics[metric]);
	}
	if (figures->rate.known) {
		start(table, bench, cell, "ops_per_s");
		add_estimate(table, &figures->rate);
	}
	add_ratios(table, analysis, cell);
	for (int count = 0; count < PER_OP_COUNT; count++) {
		if (isnan(bench->cells[cell].per_op[count]))
			continue;
		start(table, bench, cell, per_op_counters[count].key);
		table__format(table, "%.15g", bench->cells[cell].per_op[count]);
	}
}

void bench_csv__print(const struct bench_analysis *analysis, const struct table_output *output)
{
	static const char *const headers[] = { "row",	"column", "state",    "figure", "value",
					       "low",	"high",	  "baseline", "reason" };
	struct table *table = table__new(NULL);

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < analysis->bench->cell_count; i++)
		add_cell(table, analysis, i);
	table__print(table, output);
	table__free(table);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_tables.h"

typedef struct cell sweep_cell_fn(const struct bench_figures *figures,
				  const struct time_unit *unit, size_t baseline);

static struct cell sweep_time(const struct bench_figures *figures, const struct time_unit *unit,
			      size_t baseline)
{
	return bench_cells__median(&figures->metrics[BENCH_METRIC_TIME], BENCH_METRIC_TIME, unit);
}

static struct cell sweep_ratio(const struct bench_figures *figures, const struct time_unit *unit,
			       size_t baseline)
{
	bool is_baseline = figures->is_baseline[baseline] &&
			   figures->metrics[BENCH_METRIC_TIME].known;

	return bench_cells__ratio(&figures->ratios[baseline], is_baseline, true);
}

static void print_sweep(const struct bench_analysis *analysis, char *title, sweep_cell_fn *cell,
			size_t baseline, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct time_unit unit = bench_tables__unit(analysis);
	struct table *table = table__titled(title, NULL);

	table__column(table, bench->axis.name, COLUMN_COUNT);
	for (size_t row = 0; row < bench->row_count; row++)
		table__column(table, bench->rows[row].name, COLUMN_ESTIMATE);
	for (size_t column = 0; column < bench->column_count; column++) {
		table__row(table);
		table__text(table, bench->columns[column].name);
		for (size_t row = 0; row < bench->row_count; row++)
			table__put(table, cell(&analysis->cells[row * bench->column_count + column],
					       &unit, baseline));
	}
	table__finish(table, output);
	putc('\n', output->stream);
}

void bench_sweep__print(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct bench_layout *layout = bench_layout__of(bench->kind);
	const struct time_unit unit = bench_tables__unit(analysis);

	print_sweep(analysis, text__of("%s (%s)", layout->title, unit.name), sweep_time, 0, output);
	for (size_t i = 0; i < bench->baseline_count; i++)
		print_sweep(analysis, text__of("The same, against %s", bench->baselines[i].name),
			    sweep_ratio, i, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_report.h"

/* The cell of the least or of the greatest time; NULL: none was measured. */
static const struct bench_figures *extreme_of(const struct bench_analysis *analysis, bool greatest)
{
	const struct bench_figures *found = NULL;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct bench_figures *cell = &analysis->cells[i];
		const struct estimate *time = &cell->metrics[BENCH_METRIC_TIME];

		if (!time->known)
			continue;
		if (!found || (greatest ? time->value > found->metrics[BENCH_METRIC_TIME].value
					: time->value < found->metrics[BENCH_METRIC_TIME].value))
			found = cell;
	}
	return found;
}

/* "static at 16M, 1.05 ms (1.02..1.09)" */
static char *words_of(const struct bench_analysis *analysis, const struct bench_figures *figures)
{
	const struct bench *bench = analysis->bench;
	const size_t index = figures - analysis->cells;
	const char *column = bench->columns[index % bench->column_count].name;
	const struct estimate *time = &figures->metrics[BENCH_METRIC_TIME];
	const struct unit unit = unit__of_time(time->value);
	autofree char *bounds = time->bounded ? quantity__bounds(time->low, time->high, unit) : NULL;

	return text__of("%s%s%s, %s %s%s%s%s", bench->rows[index / bench->column_count].name,
			*column ? " at " : "", column, quantity__in(time->value, unit).text, unit.name,
			bounds ? " (" : "", bounds ? bounds : "", bounds ? ")" : "");
}

void bench_answer__print(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench_figures *least = extreme_of(analysis, false), *most = extreme_of(analysis, true);
	autofree char *fastest = NULL, *slowest = NULL, *text = NULL;

	if (!least || least == most)
		return;
	fastest = words_of(analysis, least);
	slowest = words_of(analysis, most);
	text = text__of("Fastest: %s. Slowest: %s.", fastest, slowest);
	wrap__print(NULL, text, 0, 0, output);
	putc('\n', output->stream);
}

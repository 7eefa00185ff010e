// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/bench/bench.h"

static char *check_names(const struct bench *bench)
{
	for (size_t i = 0; i < bench->row_count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(bench->rows[i].name, bench->rows[k].name))
				return text__of("two rows are named \"%s\"", bench->rows[i].name);
		}
	}
	for (size_t i = 0; i < bench->column_count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(bench->columns[i].name, bench->columns[k].name))
				return text__of("two columns are named \"%s\"", bench->columns[i].name);
		}
	}
	return NULL;
}

static char *check_cell(const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	const double *times = cell->values[BENCH_METRIC_TIME];
	size_t row = index / bench->column_count;

	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		if (cell->state != BENCH_MEASURED && cell->values[metric])
			return text__of("\"%s\" has values, but was not measured", bench->rows[row].name);
		for (size_t i = 0; i < bench->rounds && cell->values[metric]; i++) {
			if (cell->values[metric][i] < 0 || isinf(cell->values[metric][i]))
				return text__of("\"%s\" has an impossible value", bench->rows[row].name);
		}
	}
	if (cell->state == BENCH_MEASURED && !times && bench->rounds)
		return text__of("\"%s\" was measured, but has no times", bench->rows[row].name);
	for (size_t i = 0; i < bench->rounds && times; i++) {
		if (!(times[i] > 0))
			return text__of("\"%s\" has a time that is not above 0", bench->rows[row].name);
	}
	return NULL;
}

char *bench__contradiction(const struct bench *bench)
{
	char *found = machine__contradiction(&bench->machine);

	if (!found)
		found = check_names(bench);
	if (!found && !bench->column_count)
		found = text__of("there are no columns");
	for (size_t i = 0; i < bench->cell_count && !found; i++)
		found = check_cell(bench, i);
	return found;
}

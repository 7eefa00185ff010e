// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/quantile.h"

static double traced_wall(const struct run *run)
{
	return run__has(run, HAS_CLOCK) ? (double)run->wall_ns : NAN;
}

static struct compare_timing timing_of(const struct compare_column *column, const struct compare_column *baseline)
{
	const struct series wall = compare_column__wall(column), cpu = compare_column__cpu(column);
	const struct series base_wall = compare_column__wall(baseline);
	const struct series base_cpu = compare_column__cpu(baseline);
	struct compare_timing timing = {
		.wall = series__median(&wall),
		.cpu = series__median(&cpu),
		.traced_wall = compare_column__spread(column, traced_wall),
	};

	if (column->sample_count)
		timing.min_ns = quantile__of(column->samples_ns, column->sample_count, 0);
	if (column == baseline)
		return timing;
	timing.ratio = series__ratio(&wall, &base_wall, compare_columns__pairing(column, baseline));
	timing.cpu_ratio = series__ratio(&cpu, &base_cpu, compare_columns__pairing(column, baseline));
	return timing;
}

static const double cpus_least = 0.5, cpus_most = 1.5;

/* CPUs that it used in the run in which it used most: others may have taken them in the others. */
static double cpus_of(const struct compare_column *column)
{
	double most = 0;

	for (size_t i = 0; column->cpu_ns && i < column->sample_count; i++)
		most = fmax(most, column->cpu_ns[i] / column->samples_ns[i]);
	return most;
}

static bool all_use_one_cpu(const struct compare_column *columns, size_t count)
{
	bool all = true;

	for (size_t i = 0; i < count; i++) {
		const double cpus = cpus_of(&columns[i]), left = 1 - fmax(columns[i].busy, 0); /* fmax: not NAN */

		all &= cpus >= cpus_least * left && cpus <= cpus_most && columns[i].cpu_ns;
	}
	return all;
}

struct estimate comparison__difference(const struct comparison *comparison, size_t index)
{
	const struct compare_column *column = &comparison->columns[index];
	const struct compare_column *baseline = &comparison->columns[comparison->baseline];
	const struct series here = compare_column__time(column, comparison->by_cpu);
	const struct series there = compare_column__time(baseline, comparison->by_cpu);

	return series__difference(&here, &there, compare_columns__pairing(column, baseline));
}

static void add_timings(struct comparison *comparison)
{
	const struct compare_column *columns = comparison->columns;

	comparison->timings = checked_calloc(comparison->column_count, sizeof(*comparison->timings));
	for (size_t i = 0; i < comparison->column_count; i++)
		comparison->timings[i] = timing_of(&columns[i], &columns[comparison->baseline]);
}

struct comparison *comparison__new(struct compare_column *columns, size_t count, size_t baseline)
{
	struct comparison *comparison = checked_calloc(1, sizeof(*comparison));

	comparison->columns = columns;
	comparison->column_count = count;
	comparison->baseline = baseline;
	comparison->by_cpu = all_use_one_cpu(columns, count);
	comparison__add_rows(comparison);
	add_timings(comparison);
	return comparison;
}

char *comparison__disturbance(const struct comparison *comparison)
{
	struct disturbance disturbance = { .all = 0 };

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct series wall = compare_column__wall(&comparison->columns[i]);

		if (!comparison->by_cpu)
			disturbance__add(&disturbance, &wall);
		disturbance.busy = fmax(disturbance.busy, comparison->columns[i].busy);
	}
	return disturbance__words(&disturbance);
}

static void free_states(char **states, size_t columns)
{
	for (size_t i = 0; states && i < columns; i++)
		free(states[i]);
	free(states);
}

void comparison__free(struct comparison *comparison)
{
	if (!comparison)
		return;
	for (size_t i = 0; i < comparison->row_count; i++) {
		free(comparison->rows[i].key);
		free(comparison->rows[i].header);
		free(comparison->rows[i].cells);
		free(comparison->rows[i].ratios);
		free(comparison->rows[i].moves);
		free(comparison->rows[i].of);
		free(comparison->rows[i].region);
		free_states(comparison->rows[i].states, comparison->column_count);
	}
	free(comparison->rows);
	free(comparison->timings);
	compare_columns__free(comparison->columns, comparison->column_count);
	free(comparison);
}

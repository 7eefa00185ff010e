// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/comparison.h"

#include <math.h>
#include <string.h>

#include "analysis/compare/fact_rows.h"
#include "analysis/compare/start_rows.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"
#include "model/words/names.h"

static bool has_row(const struct comparison *comparison, enum compare_section section,
		    const char *header)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section == section && !strcmp(row->header, header))
			return true;
	}
	return false;
}

/* A row that is its own key, unless it is there; takes over the header. */
static void add_row_once(struct comparison *comparison, enum compare_section section, char *header,
			 measure_fn *of, struct measure_argument argument)
{
	if (has_row(comparison, section, header))
		free(header);
	else
		comparison__add_row(comparison, section, checked_strdup(header), header, of,
				    argument);
}

static void add_call(struct comparison *comparison, const struct syscall_row *call)
{
	add_row_once(comparison, SECTION_SYSCALLS, names__call(call), measure__calls,
		     (struct measure_argument){ .call = call });
}

static void add_call_ns(struct comparison *comparison, const struct syscall_row *call)
{
	add_row_once(comparison, SECTION_SYSCALL_NS, names__call(call), measure__call_ns,
		     (struct measure_argument){ .call = call });
}

static bool is_timed(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		for (size_t k = 0; k < comparison->columns[i].run_count; k++)
			if (comparison->columns[i].runs[k]->timed)
				return true;
	return false;
}

/* "openat ENOENT" and so on. */
static void add_errors_of(struct comparison *comparison, const struct syscall_row *call)
{
	for (size_t i = 0; i < call->errno_count; i++) {
		const char *error = call->errnos[i].name;
		char *header = names__call(call);

		text__replace(&header, "%s %s", header, error);
		add_row_once(comparison, SECTION_ERRORS, header, measure__errors,
			     (struct measure_argument){ .call = call, .error = error });
	}
}

static double most_calls(const struct compare_row *row, size_t columns)
{
	double most = 0;

	for (size_t i = 0; i < columns; i++)
		most = fmax(most, row->cells[i].known ? row->cells[i].median : 0);
	return most;
}

static int by_calls(const void *left, const void *right, void *context)
{
	const struct compare_row *a = left, *b = right;
	const struct comparison *comparison = context;
	size_t columns = comparison->column_count;
	double baseline =
		b->cells[comparison->baseline].median - a->cells[comparison->baseline].median;
	double most = most_calls(b, columns) - most_calls(a, columns);

	if (baseline)
		return baseline < 0 ? -1 : 1;
	if (most)
		return most < 0 ? -1 : 1;
	return strcmp(a->header, b->header);
}

typedef void add_rows_fn(struct comparison *comparison, const struct syscall_row *call);

/* Rows for the calls of all runs, most calls first. */
static void add_for_calls(struct comparison *comparison, add_rows_fn *add)
{
	size_t first = comparison->row_count;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		for (size_t k = 0; k < column->run_count; k++)
			for (size_t row = 0; row < column->runs[k]->table.count; row++)
				add(comparison, &column->runs[k]->table.rows[row]);
	}
	if (comparison->row_count > first)
		qsort_r(comparison->rows + first, comparison->row_count - first,
			sizeof(*comparison->rows), by_calls, comparison);
}

static void add_measures(struct comparison *comparison)
{
	size_t count;
	struct measure *measures = measures__new(&count);

	for (size_t i = 0; i < count; i++) {
		const struct measure *measure = &measures[i];
		struct measure_argument argument = { .index = measure->index };

		comparison__add_row(comparison, measure->section, checked_strdup(measure->key),
				    checked_strdup(measure->header), measure->of, argument);
	}
	free(measures);
}

static double traced_wall(const struct run *run, const struct measure_argument *argument)
{
	return run__has(run, HAS_CLOCK) ? (double)run->wall_ns : NAN;
}

static struct compare_timing timing_of(const struct compare_column *column,
				       const struct compare_column *baseline)
{
	const struct series wall = compare_column__wall(column), cpu = compare_column__cpu(column);
	const struct series base_wall = compare_column__wall(baseline);
	const struct series base_cpu = compare_column__cpu(baseline);
	struct measure_argument none = { 0 };
	struct compare_timing timing = {
		.wall = series__median(&wall),
		.cpu = series__median(&cpu),
		.traced_wall = compare_column__measure(column, traced_wall, none),
	};

	if (column->sample_count)
		timing.min_ns = quantile__of(column->samples_ns, column->sample_count, 0);
	if (column == baseline)
		return timing;
	timing.ratio = series__ratio(&wall, &base_wall, compare_columns__pairing(column, baseline));
	timing.cpu_ratio = series__ratio(&cpu, &base_cpu, compare_columns__pairing(column, baseline));
	return timing;
}

static void add_timings(struct comparison *comparison)
{
	const struct compare_column *columns = comparison->columns;

	comparison->timings =
		checked_calloc(comparison->column_count, sizeof(*comparison->timings));
	for (size_t i = 0; i < comparison->column_count; i++)
		comparison->timings[i] = timing_of(&columns[i], &columns[comparison->baseline]);
}

struct comparison *comparison__new(struct compare_column *columns, size_t count, size_t baseline)
{
	struct comparison *comparison = checked_calloc(1, sizeof(*comparison));

	comparison->columns = columns;
	comparison->column_count = count;
	comparison->baseline = baseline;
	add_for_calls(comparison, add_call);
	add_for_calls(comparison, add_errors_of);
	if (is_timed(comparison))
		add_for_calls(comparison, add_call_ns);
	add_measures(comparison);
	comparison__add_starts(comparison);
	comparison__add_facts(comparison);
	add_timings(comparison);
	return comparison;
}

bool comparison__is_repeated(const struct comparison *comparison)
{
	const struct compare_column *column = &comparison->columns[0];

	if (comparison->column_count != 1 || column->sample_count || !column->run_count ||
	    !column->command || !column->command[0])
		return false;
	for (size_t i = 0; i < column->run_count; i++)
		if (column->runs[i]->start)
			return false;
	return true;
}

char *comparison__disturbance(const struct comparison *comparison)
{
	struct disturbance disturbance = { .all = 0 };

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct series wall = compare_column__wall(&comparison->columns[i]);

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

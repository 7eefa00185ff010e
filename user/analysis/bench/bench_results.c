// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bench/bench_results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"

/*
 * A round is an outlier where its modified z-score passes this (Iglewicz and Hoaglin, 1993, use
 * 3.5 for any; hyperfine asks for ten times the distance, because times are skewed).
 */
static const double outlier_distance = 10, mad_to_sigma = 1.4826;
/* Drift below this is not worth a word, however certain. */
static const double drift_shown = 0.05;
enum { OUTLIER_ROUNDS_MIN = 5, DRIFT_ROUNDS_MIN = 3 * STATS_INTERVAL_MIN };

static struct estimate rate_of(const struct estimate *time)
{
	struct estimate rate = *time;

	if (!time->known)
		return rate;
	rate.value = 1e9 / time->value;
	rate.low = time->bounded ? 1e9 / time->high : 0;
	rate.high = time->bounded ? 1e9 / time->low : 0;
	return rate;
}

/* `is_first`: these times begin with the first round; it may be left out. */
static void set_outliers(struct bench_figures *figures, const double *times, size_t rounds, bool is_first)
{
	double median = figures->metrics[BENCH_METRIC_TIME].value, deviation;
	double *distances;

	if (rounds < OUTLIER_ROUNDS_MIN)
		return;
	distances = checked_calloc(rounds, sizeof(*distances));
	for (size_t i = 0; i < rounds; i++)
		distances[i] = fabs(times[i] - median);
	deviation = quantile__median(distances, rounds) * mad_to_sigma;
	for (size_t i = 0; i < rounds && deviation > 0; i++) {
		if (distances[i] <= outlier_distance * deviation)
			continue;
		figures->has_outliers = true;
		figures->is_slow_first |= i == 0 && is_first && times[0] > median;
	}
	free(distances);
}

static void set_drift(struct bench_figures *figures, const double *times, size_t rounds)
{
	size_t third = rounds / 3;
	struct estimate ratio;

	figures->drift = NAN;
	if (rounds < DRIFT_ROUNDS_MIN)
		return;
	ratio = faster_half__ratio(times + rounds - third, third, times, third, UNPAIRED);
	if (estimate__shows(&ratio, 1) < SHOWN_LESS || fabs(ratio.value - 1) < drift_shown)
		return;
	figures->drift = ratio.value;
}

static void set_times(struct bench_figures *figures, const double *times, size_t rounds, bool is_first)
{
	figures->min = figures->max = times[0];
	for (size_t i = 1; i < rounds; i++) {
		figures->min = fmin(figures->min, times[i]);
		figures->max = fmax(figures->max, times[i]);
	}
	set_outliers(figures, times, rounds, is_first);
	set_drift(figures, times, rounds);
}

static void set_ratios(struct bench_figures *figures, const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	const struct series times = bench_cell__series(cell, BENCH_METRIC_TIME, bench->rounds);
	size_t row = index / bench->column_count, column = index % bench->column_count;

	figures->ratios = checked_calloc(bench->baseline_count, sizeof(*figures->ratios));
	figures->is_baseline = checked_calloc(bench->baseline_count, sizeof(bool));
	for (size_t i = 0; i < bench->baseline_count; i++) {
		const struct bench_cell *base = bench__baseline_cell(bench, &bench->baselines[i], row, column);
		const struct series base_times = bench_cell__series(base, BENCH_METRIC_TIME, bench->rounds);

		figures->is_baseline[i] = base == cell;
		if (base != cell)
			figures->ratios[i] = series__ratio(&times, &base_times, PAIRED);
	}
}

static void set_figures(struct bench_figures *figures, const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	const struct series times = bench_cell__series(cell, BENCH_METRIC_TIME, bench->rounds);
	double *values;
	size_t count;

	figures->drift = NAN;
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		const struct series series = bench_cell__series(cell, metric, bench->rounds);

		figures->metrics[metric] = series__median(&series);
	}
	figures->rate = rate_of(&figures->metrics[BENCH_METRIC_TIME]);
	values = series__values(&times, &count);
	if (count)
		set_times(figures, values, count, values[0] == times.values[0]);
	free(values);
	set_ratios(figures, bench, index);
}

/* What looks wrong with the times, in words. */

/* Takes over the text. */
static void warn_of(struct bench_analysis *analysis, char *text)
{
	analysis->warnings = checked_grow(analysis->warnings, analysis->warning_count, sizeof(char *));
	analysis->warnings[analysis->warning_count++] = text;
}

/* "static", or "static at 16M", to be freed. */
static char *name_of(const struct bench *bench, size_t cell)
{
	const char *row = bench->rows[cell / bench->column_count].name;
	const char *column = bench->columns[cell % bench->column_count].name;

	return text__of("%s%s%s", row, *column ? " at " : "", column);
}

/* The names of the first few cells for which `is_so` holds; NULL: none. */
static char *names_of(const struct bench_analysis *analysis, bool (*is_so)(const struct bench_figures *figures))
{
	struct name_list names = { .most = 3 };

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		char *name;

		if (!is_so(&analysis->cells[i]))
			continue;
		name = name_of(analysis->bench, i);
		name_list__add(&names, name);
		free(name);
	}
	return name_list__finish(&names);
}

static bool is_slow_first(const struct bench_figures *figures)
{
	return figures->is_slow_first;
}

static bool has_outliers(const struct bench_figures *figures)
{
	return figures->has_outliers && !figures->is_slow_first;
}

static bool gets_slower(const struct bench_figures *figures)
{
	return figures->drift > 1;
}

static bool gets_faster(const struct bench_figures *figures)
{
	return figures->drift < 1; /* not if it is NAN */
}

static void warn_of_others(struct bench_analysis *analysis)
{
	const struct bench *bench = analysis->bench;
	struct disturbance disturbance = { .all = 0 };
	char *words;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct series times = bench_cell__series(&bench->cells[i], BENCH_METRIC_TIME, bench->rounds);

		disturbance__add(&disturbance, &times);
	}
	words = disturbance__words(&disturbance);
	if (words)
		warn_of(analysis, words);
}

static void set_warnings(struct bench_analysis *analysis)
{
	static const struct {
		bool (*is_so)(const struct bench_figures *figures);
		const char *text;
	} kinds[] = {
		{ is_slow_first, "The first round was far slower than the others, as if something "
				 "had to be loaded first" },
		{ has_outliers, "Some rounds took far longer or shorter than the others: other "
				"programs may have disturbed them" },
		{ gets_slower, "Times grew during the measurement, by more than chance: does the "
			       "CPU get hot, or did the machine get busier?" },
		{ gets_faster, "Times fell during the measurement, by more than chance: was the "
			       "machine busy when it began?" },
	};

	warn_of_others(analysis);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char *names = names_of(analysis, kinds[i].is_so);

		if (names)
			warn_of(analysis, text__of("%s (%s).", kinds[i].text, names));
		free(names);
	}
}

struct bench_analysis *bench_analysis__new(const struct bench *bench)
{
	struct bench_analysis *analysis = checked_calloc(1, sizeof(*analysis));

	analysis->bench = bench;
	analysis->cells = checked_calloc(bench->cell_count, sizeof(*analysis->cells));
	for (size_t i = 0; i < bench->cell_count; i++)
		set_figures(&analysis->cells[i], bench, i);
	set_warnings(analysis);
	return analysis;
}

void bench_analysis__free(struct bench_analysis *analysis)
{
	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		free(analysis->cells[i].ratios);
		free(analysis->cells[i].is_baseline);
	}
	for (size_t i = 0; i < analysis->warning_count; i++)
		free(analysis->warnings[i]);
	free(analysis->warnings);
	free(analysis->cells);
	free(analysis);
}

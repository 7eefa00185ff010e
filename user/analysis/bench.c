// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/checked.h"

/*
 * A round is an outlier where its modified z-score passes this (Iglewicz and Hoaglin, 1993, use
 * 3.5 for any; hyperfine asks for ten times the distance, because times are skewed).
 */
static const double outlier_distance = 10, mad_to_sigma = 1.4826;
/* Drift below this is not worth a word, however certain. */
static const double drift_shown = 0.05;
enum { OUTLIER_ROUNDS_MIN = 5, DRIFT_ROUNDS_MIN = 3 * STATS_INTERVAL_MIN };

enum bench_verdict bench_verdict__of(const struct estimate *ratio)
{
	if (!ratio->known || !ratio->bounded)
		return VERDICT_NONE;
	if (ratio->low <= 1 && ratio->high >= 1)
		return VERDICT_SAME;
	return ratio->low > 1 ? VERDICT_SLOWER : VERDICT_FASTER;
}

static bool is_quiet(const struct bench_cell *cell, size_t round, double limit)
{
	const double *others = cell->values[BENCH_METRIC_OTHERS];

	return !others || !(others[round] > limit);
}

/*
 * The rounds in which neither cell was disturbed. If these are too few: all, and `is_quiet` says
 * that nothing can be told from them.
 */
struct chosen_rounds {
	size_t *rounds, count;
	size_t disturbed; /* of all */
	bool is_quiet;
};

static struct chosen_rounds choose(const struct bench_cell *cell, const struct bench_cell *base,
				   size_t rounds)
{
	const double limit = bench_cell__others_limit(cell, rounds);
	const double base_limit = bench_cell__others_limit(base, rounds);
	struct chosen_rounds chosen = { .rounds = checked_calloc(rounds, sizeof(size_t)) };

	for (size_t i = 0; i < rounds; i++) {
		if (is_quiet(cell, i, limit) && is_quiet(base, i, base_limit))
			chosen.rounds[chosen.count++] = i;
	}
	chosen.disturbed = rounds - chosen.count;
	chosen.is_quiet = !chosen.disturbed || chosen.count >= STATS_INTERVAL_MIN;
	for (size_t i = 0; i < rounds && !chosen.is_quiet; i++)
		chosen.rounds[i] = i;
	if (!chosen.is_quiet)
		chosen.count = rounds;
	return chosen;
}

/* Those values that are numbers, divided by those of `base` unless that is NULL; to be freed. */
static double *values_of(const double *values, const double *base,
			 const struct chosen_rounds *chosen, size_t *count)
{
	double *known = checked_calloc(chosen->count, sizeof(*known));

	*count = 0;
	for (size_t i = 0; i < chosen->count; i++) {
		size_t round = chosen->rounds[i];
		double value = base ? values[round] / base[round] : values[round];

		if (!isnan(value))
			known[(*count)++] = value;
	}
	return known;
}

static struct estimate estimate_of(const double *values, const double *base,
				   const struct chosen_rounds *chosen)
{
	struct estimate estimate = { .known = false };
	double *known;
	size_t count;

	if (!values)
		return estimate;
	known = values_of(values, base, chosen, &count);
	estimate = stats__median_estimate(known, count);
	estimate.bounded &= chosen->is_quiet;
	free(known);
	return estimate;
}

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

/* Round by round: what slowed a whole round down is in both and falls out. */
static struct estimate ratio_of(const struct bench_cell *cell, const struct bench_cell *base,
				size_t rounds)
{
	struct chosen_rounds chosen = choose(cell, base, rounds);
	struct estimate estimate = estimate_of(cell->values[BENCH_METRIC_TIME],
					       base->values[BENCH_METRIC_TIME], &chosen);

	free(chosen.rounds);
	return estimate;
}

static void set_outliers(struct bench_figures *figures, const double *times, size_t rounds)
{
	double median = figures->metrics[BENCH_METRIC_TIME].value, deviation;
	double *distances;

	if (rounds < OUTLIER_ROUNDS_MIN)
		return;
	distances = checked_calloc(rounds, sizeof(*distances));
	for (size_t i = 0; i < rounds; i++)
		distances[i] = fabs(times[i] - median);
	deviation = stats__median(distances, rounds) * mad_to_sigma;
	for (size_t i = 0; i < rounds && deviation > 0; i++) {
		if (distances[i] <= outlier_distance * deviation)
			continue;
		figures->has_outliers = true;
		figures->is_slow_first |= i == 0 && times[0] > median;
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
	ratio = stats__ratio_estimate(times + rounds - third, third, times, third);
	if (bench_verdict__of(&ratio) < VERDICT_SLOWER || fabs(ratio.value - 1) < drift_shown)
		return;
	figures->drift = ratio.value;
}

static void set_times(struct bench_figures *figures, const double *times, size_t rounds)
{
	figures->min = figures->max = times[0];
	for (size_t i = 1; i < rounds; i++) {
		figures->min = fmin(figures->min, times[i]);
		figures->max = fmax(figures->max, times[i]);
	}
	set_outliers(figures, times, rounds);
	set_drift(figures, times, rounds);
}

static void set_ratios(struct bench_figures *figures, const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	size_t row = index / bench->column_count, column = index % bench->column_count;

	figures->ratios = checked_calloc(bench->baseline_count, sizeof(*figures->ratios));
	figures->is_baseline = checked_calloc(bench->baseline_count, sizeof(bool));
	for (size_t i = 0; i < bench->baseline_count; i++) {
		const struct bench_cell *base =
			bench__baseline_cell(bench, &bench->baselines[i], row, column);

		figures->is_baseline[i] = base == cell;
		if (base != cell && base->values[BENCH_METRIC_TIME])
			figures->ratios[i] = ratio_of(cell, base, bench->rounds);
	}
}

static void set_figures(struct bench_figures *figures, const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	struct chosen_rounds chosen = choose(cell, cell, bench->rounds);

	figures->drift = NAN;
	figures->disturbed = chosen.disturbed;
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++)
		figures->metrics[metric] = estimate_of(cell->values[metric], NULL, &chosen);
	figures->rate = rate_of(&figures->metrics[BENCH_METRIC_TIME]);
	if (figures->metrics[BENCH_METRIC_TIME].known) {
		size_t count;
		double *times = values_of(cell->values[BENCH_METRIC_TIME], NULL, &chosen, &count);

		set_times(figures, times, count);
		free(times);
	}
	free(chosen.rounds);
	set_ratios(figures, bench, index);
}

struct bench_analysis *bench_analysis__new(const struct bench *bench)
{
	struct bench_analysis *analysis = checked_calloc(1, sizeof(*analysis));

	analysis->bench = bench;
	analysis->cells = checked_calloc(bench->cell_count, sizeof(*analysis->cells));
	for (size_t i = 0; i < bench->cell_count; i++)
		set_figures(&analysis->cells[i], bench, i);
	bench_analysis__set_warnings(analysis);
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

static const struct bench_cell *find(const struct bench *bench, const char *row,
				     const char *column)
{
	for (size_t i = 0; i < bench->cell_count; i++) {
		if (!strcmp(bench->rows[i / bench->column_count].name, row) &&
		    !strcmp(bench->columns[i % bench->column_count].name, column))
			return &bench->cells[i];
	}
	return NULL;
}

struct times {
	double *values; /* of quiet rounds, to be freed */
	size_t count;
};

static struct times take_times(const struct bench_cell *cell, size_t rounds,
			       struct estimate *estimate)
{
	struct chosen_rounds chosen = choose(cell, cell, rounds);
	const double *values = cell->values[BENCH_METRIC_TIME];
	struct times times = { .count = 0 };

	*estimate = estimate_of(values, NULL, &chosen);
	if (values)
		times.values = values_of(values, NULL, &chosen, &times.count);
	free(chosen.rounds);
	return times;
}

struct bench_pair *bench_pairs__new(const struct bench *first, const struct bench *second,
				    size_t *count)
{
	const struct bench *benches[] = { first, second };
	struct bench_pair *pairs = checked_calloc(first->cell_count, sizeof(*pairs));

	*count = first->cell_count;
	for (size_t i = 0; i < *count; i++) {
		struct bench_pair *pair = &pairs[i];
		struct times times[2] = { { .count = 0 } };

		pair->row = first->rows[i / first->column_count].name;
		pair->column = first->columns[i % first->column_count].name;
		pair->cells[0] = &first->cells[i];
		pair->cells[1] = find(second, pair->row, pair->column);
		for (int side = 0; side < 2; side++)
			if (pair->cells[side])
				times[side] = take_times(pair->cells[side], benches[side]->rounds,
							 &pair->times[side]);
		if (pair->times[0].known && pair->times[1].known) {
			pair->ratio = stats__ratio_estimate(times[1].values, times[1].count,
							    times[0].values, times[0].count);
			pair->ratio.bounded &= pair->times[0].bounded && pair->times[1].bounded;
		}
		free(times[0].values);
		free(times[1].values);
	}
	return pairs;
}

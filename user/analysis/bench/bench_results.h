/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a bench says: medians with their 95 % intervals, ratios to baselines round by round, and what
 * looks wrong with the times. Disturbed rounds: see series.h.
 */
#ifndef FORKTAX_ANALYSIS_BENCH_BENCH_RESULTS_H
#define FORKTAX_ANALYSIS_BENCH_BENCH_RESULTS_H

#include "analysis/series.h"
#include "model/bench/bench.h"

struct bench_figures {
	struct estimate metrics[BENCH_METRIC_COUNT];
	struct estimate rate; /* operations per second: from BENCH_METRIC_TIME, bounds swapped */
	double min, max; /* of BENCH_METRIC_TIME; meaningful if that is known */
	/*
	 * By baseline (bench.baselines): this cell's time to the baseline's, paired by round; not
	 * known where either is not, and for the baseline itself.
	 */
	struct estimate *ratios;
	bool *is_baseline; /* the same index */
	bool has_outliers; /* some round is far off the others */
	bool is_slow_first; /* ... and the first one is: caches were cold */
	double drift; /* last third of the rounds by the first third; NAN: no drift to speak of */
};

/* The rounds of a cell. */
static inline struct series bench_cell__series(const struct bench_cell *cell, enum bench_metric metric, size_t rounds)
{
	return (struct series){
		.values = cell->values[metric],
		.others = cell->values[BENCH_METRIC_OTHERS],
		.rounds = rounds,
	};
}

struct bench_analysis {
	const struct bench *bench; /* not owned */
	struct bench_figures *cells; /* same index as bench.cells */
	char **warnings; /* of the times: outliers, drift; bench.warnings are apart */
	size_t warning_count;
};

struct bench_analysis *bench_analysis__new(const struct bench *bench);
void bench_analysis__free(struct bench_analysis *analysis);

#endif

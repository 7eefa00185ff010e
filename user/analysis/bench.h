/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a bench says: medians with their 95 % intervals, ratios to baselines pair by pair, and what
 * looks wrong with the times. Rounds in which others had the CPU are left out; if too few are left
 * for an interval, all rounds are taken, and there is none.
 */
#ifndef FORKTAX_ANALYSIS_BENCH_H
#define FORKTAX_ANALYSIS_BENCH_H

#include "analysis/stats.h"
#include "model/bench.h"

struct bench_figures {
	struct estimate metrics[BENCH_METRIC_COUNT];
	struct estimate rate; /* operations per second: from BENCH_METRIC_TIME, bounds swapped */
	double min, max; /* of BENCH_METRIC_TIME; meaningful if that is known */
	size_t disturbed; /* rounds in which others had the CPU */
	/*
	 * By baseline (bench.baselines): the median over the rounds of this cell's time divided by
	 * the baseline's in the same round; not known where either is not, and for the baseline
	 * itself.
	 */
	struct estimate *ratios;
	bool *is_baseline; /* the same index */
	bool has_outliers; /* some round is far off the others */
	bool is_slow_first; /* ... and the first one is: caches were cold */
	double drift; /* last third of the rounds by the first third; NAN: no drift to speak of */
};

/* How a difference may be put. */
enum bench_verdict {
	VERDICT_NONE, /* too few rounds */
	VERDICT_SAME,
	VERDICT_SLOWER,
	VERDICT_FASTER,
};

enum bench_verdict bench_verdict__of(const struct estimate *ratio);

struct bench_analysis {
	const struct bench *bench; /* not owned */
	struct bench_figures *cells; /* same index as bench.cells */
	char **warnings; /* of the times: outliers, drift; bench.warnings are apart */
	size_t warning_count;
};

struct bench_analysis *bench_analysis__new(const struct bench *bench);
void bench_analysis__free(struct bench_analysis *analysis);
/* For bench_analysis__new(): fills `warnings` from the figures. */
void bench_analysis__set_warnings(struct bench_analysis *analysis);

/* Two saved benches, cell by cell. */
struct bench_pair {
	const struct bench_cell *cells[2]; /* [1] is NULL where the second has no such cell */
	const char *row, *column; /* names */
	struct estimate times[2];
	struct estimate ratio; /* second by first */
};

/* Pairs of the cells of `first`, in its order, matched by names; *count of them, to be freed. */
struct bench_pair *bench_pairs__new(const struct bench *first, const struct bench *second,
				    size_t *count);

#endif

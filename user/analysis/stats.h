/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of measured times: order statistics, because times on a real machine have long
 * tails, and bootstrap intervals, because nothing is known of their distribution. The generator
 * behind them starts from a fixed seed: a saved run reports the same interval each time.
 */
#ifndef FORKTAX_ANALYSIS_STATS_H
#define FORKTAX_ANALYSIS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/estimate.h"

/*
 * Fewer values than this allow no interval, and so no verdict: all of 5 lie on the same side of
 * their true median in 1 of 16 cases, more than 5 %, and no interval within them can know.
 */
#define STATS_INTERVAL_MIN 6

/* q from 0 to 1, interpolated between neighbours; n > 0. */
double stats__quantile(const double *values, size_t n, double q);
double stats__median(const double *values, size_t n);

struct estimate stats__median_estimate(const double *values, size_t n);

/*
 * Of values that were counted: median (of an even number the lower of the two in the middle, so
 * that it is one of them) and extremes. Counts are exact up to 2^53.
 */
struct spread {
	bool known; /* false: not counted, or nothing to count */
	double median, min, max;
};

/* Not known without values, or if one of them is NAN. Sorts the values. */
struct spread stats__spread(double *values, size_t n);

/* What joins two lists of values: the caller knows, their lengths do not tell. */
enum pairing {
	UNPAIRED, /* nothing: other days, other thirds of a measurement */
	PAIRED,	  /* value i of both is from round i: what slowed that round down is in both */
};

/*
 * The difference left - right, and the ratio top / bottom: of paired values the median of the
 * differences, or ratios, of the rounds; else that of the two medians. The interval is of the same
 * figure, of resampled rounds, or of both lists resampled apart. Ratios are taken as logarithms:
 * that of A to B is one by that of B to A, and so are the ends of its interval if they are paired.
 *
 * Not known without values, if paired lists differ in length, and, for a ratio, unless all values
 * are above 0. This is the one definition (docs/glossary.md); most callers want series.h, which leaves
 * disturbed rounds out.
 */
struct estimate stats__difference(const double *left, size_t n, const double *right, size_t m,
				  enum pairing pairing);
struct estimate stats__ratio(const double *top, size_t n, const double *bottom, size_t m,
			     enum pairing pairing);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of measured times: order statistics, because times on a real machine have long tails and nobody knows
 * their distribution. The interval of a median reaches from one value to another, and contains the true median in at
 * least 95 % of cases, whatever the distribution. (A bootstrap of ten values misses it in 6 %.) Unpaired medians are
 * compared by a bootstrap, whose generator starts from a fixed seed: a saved run gives the same interval each time.
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

struct estimate stats__median_estimate(const double *values, size_t n);

/*
 * Median and extremes of counted values. The median is always one of them: of an even number, the
 * lower of the two in the middle. Counts are exact up to 2^53.
 */
struct spread {
	bool known; /* false: not counted, or nothing to count */
	double median, min, max;
};

/* Not known without values, or if any is NAN. Sorts the values. */
struct spread stats__spread(double *values, size_t n);

/* How two lists of values belong together: their lengths do not tell, so the caller does. */
enum pairing {
	UNPAIRED, /* they do not: other days, other thirds of a measurement */
	PAIRED,	  /* value i of each is from round i: what slowed that round down affects both */
};

/*
 * The difference left - right, and the ratio top / bottom. Of paired values it is the median of
 * the rounds' differences or ratios, with the interval of a median; of unpaired values it is
 * the difference or ratio of the two medians, and the interval resamples each list by itself.
 * Ratios are taken as logarithms: A to B is one by B to A, and if they are paired so are the ends
 * of the interval.
 *
 * Not known without values, if paired lists differ in length, and, for a ratio, unless all values
 * are above 0. This is the only definition (docs/reference/glossary.md); most callers want series.h, which
 * leaves out disturbed rounds.
 */
struct estimate stats__difference(const double *left, size_t n, const double *right, size_t m, enum pairing pairing);
struct estimate stats__ratio(const double *top, size_t n, const double *bottom, size_t m, enum pairing pairing);

#endif

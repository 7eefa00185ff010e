/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of measured times: order statistics, because times on a real machine have long
 * tails, and bootstrap intervals, because nothing is known of their distribution. The generator
 * behind them starts from a fixed seed: a saved run reports the same interval each time.
 */
#ifndef FORKTAX_STATS_H
#define FORKTAX_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Fewer values than this allow no interval, and so no verdict: all of 5 lie on the same side of
 * their true median in 1 of 16 cases, more than 5 %, and no interval within them can know.
 */
#define STATS_INTERVAL_MIN 6

struct estimate {
	bool known;   /* false: there were no values */
	bool bounded; /* low..high is a 95 % interval; false: too few values for one */
	double value, low, high;
};

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

/*
 * median(top) / median(bottom). If both have as many values, value i of each comes from the same
 * round, and rounds are resampled whole: what disturbed a round disturbed both.
 */
struct estimate stats__ratio_estimate(const double *top, size_t n, const double *bottom, size_t m);
/* median(left) - median(right), resampled in the same way. */
struct estimate stats__difference_estimate(const double *left, size_t n, const double *right,
					   size_t m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of measured times, which have long tails of a distribution that nobody knows. The interval of a median
 * reaches from one value to another, and contains the true median in at least 95 % of cases, whatever the distribution.
 * Two lists of times are compared in faster_half.h.
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

/* The median of left[i] - right[i]: of counts, where a value must be one that was counted. */
struct estimate stats__median_difference(const double *left, const double *right, size_t n);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantile.h"

/*
 * How many of n values may lie below the interval: the most, so that as many or fewer of them lie below the true median
 * in 2.5 % of cases. Each value lies below it with probability 1/2, whatever the distribution.
 */
static size_t values_below(size_t n)
{
	double probability = exp2(-(double)n), sum = 0;
	size_t count = 0;

	if (n > 500) /* close to a normal distribution, of standard deviation sqrt(n) / 2 */
		return (size_t)(((double)n - 1.96 * sqrt((double)n)) / 2);
	for (; count < n / 2; count++) {
		sum += probability;
		if (sum > 0.025)
			break;
		probability *= (double)(n - count) / (double)(count + 1);
	}
	return count ? count - 1 : 0;
}

struct estimate stats__median_estimate(const double *values, size_t n)
{
	struct estimate estimate = { .known = n > 0 };
	double *sorted;

	if (!n)
		return estimate;
	estimate.value = quantile__median(values, n);
	if (n < STATS_INTERVAL_MIN)
		return estimate;
	sorted = checked_calloc(n, sizeof(*sorted));
	memcpy(sorted, values, n * sizeof(*sorted));
	quantile__sort(sorted, n);
	estimate.low = sorted[values_below(n)];
	estimate.high = sorted[n - 1 - values_below(n)];
	estimate.bounded = true;
	free(sorted);
	return estimate;
}

struct spread stats__spread(double *values, size_t n)
{
	if (!n)
		return (struct spread){ .known = false };
	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i]))
			return (struct spread){ .known = false };
	}
	quantile__sort(values, n);
	return (struct spread){
		.known = true,
		.median = values[quantile__rank(n, 500)],
		.min = values[0],
		.max = values[n - 1],
	};
}

struct estimate stats__median_difference(const double *left, const double *right, size_t n)
{
	autofree double *differences = checked_calloc(n, sizeof(*differences));

	for (size_t i = 0; i < n; i++)
		differences[i] = left[i] - right[i];
	return stats__median_estimate(differences, n);
}

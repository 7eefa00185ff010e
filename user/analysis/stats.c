// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantile.h"

enum { RESAMPLES = 2000 };

/* splitmix64: small, and good enough to choose rounds. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static size_t next_index(uint64_t *state, size_t n)
{
	return (size_t)(((__uint128_t)next_random(state) * n) >> 64);
}

/* The median of a resample: the same number of values, drawn from these. */
static double redrawn_median(const double *values, size_t n, uint64_t *state, double *draw)
{
	for (size_t i = 0; i < n; i++)
		draw[i] = values[next_index(state, n)];
	return quantile__median(draw, n);
}

static void set_interval(struct estimate *estimate, double *resampled, size_t n)
{
	quantile__sort(resampled, n);
	estimate->low = quantile__of_sorted(resampled, n, 0.025);
	estimate->high = quantile__of_sorted(resampled, n, 0.975);
	estimate->bounded = true;
}

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

typedef double contrast_fn(double a, double b);

static double difference(double a, double b)
{
	return a - b;
}

static double log_ratio(double a, double b)
{
	return log(a / b);
}

static struct estimate of_pairs(const double *a, const double *b, size_t n, contrast_fn *of)
{
	double *contrasts = checked_calloc(n, sizeof(*contrasts));
	struct estimate estimate;

	for (size_t i = 0; i < n; i++)
		contrasts[i] = of(a[i], b[i]);
	estimate = stats__median_estimate(contrasts, n);
	free(contrasts);
	return estimate;
}

static struct estimate of_medians(const double *a, size_t n, const double *b, size_t m, contrast_fn *of)
{
	struct estimate estimate = { .known = true };
	double results[RESAMPLES], *draw;
	uint64_t state = n;

	estimate.value = of(quantile__median(a, n), quantile__median(b, m));
	if (n < STATS_INTERVAL_MIN || m < STATS_INTERVAL_MIN)
		return estimate;
	draw = checked_calloc(n > m ? n : m, sizeof(*draw));
	for (int i = 0; i < RESAMPLES; i++) {
		double top = redrawn_median(a, n, &state, draw);

		results[i] = of(top, redrawn_median(b, m, &state, draw));
	}
	free(draw);
	set_interval(&estimate, results, RESAMPLES);
	return estimate;
}

static struct estimate compare(const double *a, size_t n, const double *b, size_t m,
			       enum pairing pairing, contrast_fn *of)
{
	if (!n || !m || (pairing == PAIRED && n != m))
		return (struct estimate){ .known = false };
	return pairing == PAIRED ? of_pairs(a, b, n, of) : of_medians(a, n, b, m, of);
}

struct estimate stats__difference(const double *left, size_t n, const double *right, size_t m, enum pairing pairing)
{
	return compare(left, n, right, m, pairing, difference);
}

static bool are_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(values[i] > 0))
			return false;
	}
	return true;
}

struct estimate stats__ratio(const double *top, size_t n, const double *bottom, size_t m, enum pairing pairing)
{
	struct estimate estimate = { .known = false };

	if (!are_positive(top, n) || !are_positive(bottom, m))
		return estimate;
	estimate = compare(top, n, bottom, m, pairing, log_ratio);
	if (estimate.known)
		estimate.value = exp(estimate.value);
	if (estimate.bounded) {
		estimate.low = exp(estimate.low);
		estimate.high = exp(estimate.high);
	}
	return estimate;
}

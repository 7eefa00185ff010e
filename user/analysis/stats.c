// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stats.h"

#include <math.h>
#include <string.h>

#include "model/checked.h"

enum { RESAMPLES = 2000 };

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double quantile_of_sorted(const double *sorted, size_t n, double q)
{
	double place = q * (double)(n - 1);
	size_t below = (size_t)place;
	size_t above = below + 1 < n ? below + 1 : below;

	return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

double stats__quantile(const double *values, size_t n, double q)
{
	double *sorted = checked_calloc(n, sizeof(*sorted));
	double result;

	memcpy(sorted, values, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	result = quantile_of_sorted(sorted, n, q);
	free(sorted);
	return result;
}

double stats__median(const double *values, size_t n)
{
	return stats__quantile(values, n, 0.5);
}

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

static void set_interval(struct estimate *estimate, double *resampled, size_t n)
{
	qsort(resampled, n, sizeof(*resampled), ascending);
	estimate->low = quantile_of_sorted(resampled, n, 0.025);
	estimate->high = quantile_of_sorted(resampled, n, 0.975);
	estimate->bounded = true;
}

struct estimate stats__median_estimate(const double *values, size_t n)
{
	struct estimate estimate = { .known = n > 0 };
	double medians[RESAMPLES], *draw;
	uint64_t state = n;

	if (!n)
		return estimate;
	estimate.value = stats__median(values, n);
	if (n < STATS_INTERVAL_MIN)
		return estimate;
	draw = checked_calloc(n, sizeof(*draw));
	for (int i = 0; i < RESAMPLES; i++) {
		for (size_t k = 0; k < n; k++)
			draw[k] = values[next_index(&state, n)];
		medians[i] = stats__median(draw, n);
	}
	free(draw);
	set_interval(&estimate, medians, RESAMPLES);
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
	qsort(values, n, sizeof(*values), ascending);
	return (struct spread){
		.known = true,
		.median = values[(n - 1) / 2],
		.min = values[0],
		.max = values[n - 1],
	};
}

typedef double combine_fn(double a, double b);

static double quotient(double a, double b)
{
	return a / b;
}

static double difference(double a, double b)
{
	return a - b;
}

/* Of the medians of two samples; equally many values are of the same rounds. */
static struct estimate combine(const double *a, size_t n, const double *b, size_t m,
			       combine_fn *of)
{
	struct estimate estimate = { .known = true };
	double results[RESAMPLES], *draw;
	uint64_t state = n;

	estimate.value = of(stats__median(a, n), stats__median(b, m));
	if (n < STATS_INTERVAL_MIN || m < STATS_INTERVAL_MIN)
		return estimate;
	draw = checked_calloc(n + m, sizeof(*draw));
	for (int i = 0; i < RESAMPLES; i++) {
		for (size_t k = 0; k < n; k++) {
			size_t round = next_index(&state, n);

			draw[k] = a[round];
			if (n == m)
				draw[n + k] = b[round];
		}
		for (size_t k = 0; n != m && k < m; k++)
			draw[n + k] = b[next_index(&state, m)];
		results[i] = of(stats__median(draw, n), stats__median(draw + n, m));
	}
	free(draw);
	set_interval(&estimate, results, RESAMPLES);
	return estimate;
}

struct estimate stats__ratio_estimate(const double *top, size_t n, const double *bottom, size_t m)
{
	if (!n || !m || stats__median(bottom, m) <= 0)
		return (struct estimate){ .known = false };
	return combine(top, n, bottom, m, quotient);
}

struct estimate stats__difference_estimate(const double *left, size_t n, const double *right,
					   size_t m)
{
	if (!n || !m)
		return (struct estimate){ .known = false };
	return combine(left, n, right, m, difference);
}

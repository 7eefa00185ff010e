// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stats.h"

#include <math.h>
#include <string.h>

#include "elf/checked.h"

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

struct estimate stats__ratio_estimate(const double *top, size_t n, const double *bottom, size_t m)
{
	struct estimate estimate = { 0 };
	double ratios[RESAMPLES], *draw;
	uint64_t state = n;

	if (!n || !m || stats__median(bottom, m) <= 0)
		return estimate;
	estimate.known = true;
	estimate.value = stats__median(top, n) / stats__median(bottom, m);
	if (n < STATS_INTERVAL_MIN || m < STATS_INTERVAL_MIN)
		return estimate;
	draw = checked_calloc(n + m, sizeof(*draw));
	for (int i = 0; i < RESAMPLES; i++) {
		for (size_t k = 0; k < n; k++) {
			size_t round = next_index(&state, n);

			draw[k] = top[round];
			if (n == m)
				draw[n + k] = bottom[round];
		}
		for (size_t k = 0; n != m && k < m; k++)
			draw[n + k] = bottom[next_index(&state, m)];
		ratios[i] = stats__median(draw, n) / stats__median(draw + n, m);
	}
	free(draw);
	set_interval(&estimate, ratios, RESAMPLES);
	return estimate;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/faster_half.h"

#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantile.h"

enum {
	HALF_LEAST = 7,	    /* values: of so many rounds 2 exchanges of 128 are as rare as is_usual() asks for */
	ROUNDS_OF_ALL = 10, /* of so many or fewer all exchanges are tried, of others this many are drawn: */
	DRAWS = 1999,
	DRAWS_OF_MANY = 399, /* of more than MANY values: the time for all of them is bounded */
	MANY = 2000,
	STEPS = 24, /* of the search for an end: to 1/2^24 of where it begins */
};

struct value {
	double value;
	size_t index; /* of left, and then of right */
};

struct lists {
	const double *left, *right;
	size_t n, m;
	struct value *sorted; /* left less the difference in hand, and right */
	size_t draws;
	bool *is_right; /* draws * (n + m): to which side a draw gives each value */
};

/* splitmix64: small, and good enough to draw. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static size_t half_of(size_t n)
{
	const size_t half = (n + 1) / 2, least = n < HALF_LEAST ? n : HALF_LEAST;

	return half > least ? half : least;
}

static int by_value(const void *a, const void *b)
{
	const struct value *left = a, *right = b;

	return (left->value > right->value) - (left->value < right->value);
}

static void sort_less(struct lists *lists, double difference)
{
	for (size_t i = 0; i < lists->n + lists->m; i++)
		lists->sorted[i] = (struct value){
			.value = i < lists->n ? lists->left[i] - difference : lists->right[i - lists->n],
			.index = i,
		};
	qsort(lists->sorted, lists->n + lists->m, sizeof(*lists->sorted), by_value);
}

/* Of the two means. */
static double difference_of(const struct lists *lists, const bool *is_right)
{
	const size_t halves[2] = { half_of(lists->n), half_of(lists->m) };
	size_t taken[2] = { 0, 0 };
	double sums[2] = { 0, 0 };

	for (const struct value *at = lists->sorted; taken[0] < halves[0] || taken[1] < halves[1]; at++) {
		const bool side = is_right[at->index];

		if (taken[side] == halves[side])
			continue;
		sums[side] += at->value;
		taken[side]++;
	}
	return sums[0] / (double)halves[0] - sums[1] / (double)halves[1];
}

/* Paired values stay in their round, and change sides there or not. */
static void exchange_rounds(bool *is_right, size_t n, size_t number, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		is_right[i] = n <= ROUNDS_OF_ALL ? (number + 1) >> i & 1 : next_random(state) >> 63;
		is_right[n + i] = !is_right[i];
	}
}

static void exchange_any(bool *is_right, size_t n, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++) {
		const size_t other = (size_t)(((__uint128_t)next_random(state) * (i + 1)) >> 64);

		is_right[i] = is_right[other]; /* a shuffle that fills as it goes */
		is_right[other] = i >= n;
	}
}

static size_t draws_of(size_t n, size_t m, enum pairing pairing)
{
	if (pairing == PAIRED && n <= ROUNDS_OF_ALL)
		return ((size_t)1 << n) - 1; /* not the one that was measured */
	return n + m > MANY ? DRAWS_OF_MANY : DRAWS;
}

/* (With 1 in 32, up to 7 % of comparisons of one command differed.) Of 6 rounds the rarest, 2 of 64, have to do. */
static bool is_usual(size_t count, size_t of)
{
	return count > 2 && count * 50 > of;
}

static bool holds(struct lists *lists, double left_over, double difference)
{
	size_t count = 1;

	sort_less(lists, difference);
	for (size_t i = 0; i < lists->draws && !is_usual(count, lists->draws + 1); i++)
		count += fabs(difference_of(lists, lists->is_right + i * (lists->n + lists->m))) >=
			 fabs(left_over) * (1 - 1e-9);
	return is_usual(count, lists->draws + 1);
}

/* The end between a difference that the interval holds, and one that it does not: just outside, as that may be 0. */
static double end_between(struct lists *lists, double value, double outside)
{
	double inside = value;

	for (int i = 0; i < STEPS; i++) {
		const double middle = (inside + outside) / 2;

		*(holds(lists, value - middle, middle) ? &inside : &outside) = middle;
	}
	return outside;
}

static double range_of(const double *values, size_t n)
{
	return quantile__of(values, n, 1) - quantile__of(values, n, 0);
}

static struct estimate compare(const double *left, size_t n, const double *right, size_t m, enum pairing pairing)
{
	const double reach = 2 * (range_of(left, n) + range_of(right, m)); /* less that, left is below right */
	struct estimate estimate = { .known = true, .bounded = n >= STATS_INTERVAL_MIN && m >= STATS_INTERVAL_MIN };
	const size_t count = n + m, draws = estimate.bounded ? draws_of(n, m, pairing) : 1;
	autofree struct value *sorted = checked_calloc(count, sizeof(*sorted));
	autofree bool *is_right = checked_calloc(draws * count, sizeof(*is_right));
	struct lists lists = { left, right, n, m, sorted, draws, is_right };
	uint64_t state = n; /* a saved measurement has the same interval each time */

	for (size_t i = 0; i < count; i++)
		is_right[i] = i >= n;
	sort_less(&lists, 0);
	estimate.value = difference_of(&lists, is_right);
	if (!estimate.bounded)
		return estimate;
	for (size_t i = 0; i < draws; i++)
		pairing == PAIRED ? exchange_rounds(is_right + i * count, n, i, &state)
				  : exchange_any(is_right + i * count, n, count, &state);
	estimate.low = end_between(&lists, estimate.value, estimate.value - reach);
	estimate.high = end_between(&lists, estimate.value, estimate.value + reach);
	return estimate;
}

struct estimate faster_half__difference(const double *left, size_t n, const double *right, size_t m,
					enum pairing pairing)
{
	if (!n || !m || (pairing == PAIRED && n != m))
		return (struct estimate){ .known = false };
	return compare(left, n, right, m, pairing);
}

/* To be freed; NULL: a value is not above 0. */
static double *logarithms(const double *values, size_t n)
{
	double *logs = checked_calloc(n, sizeof(*logs));

	for (size_t i = 0; i < n; i++) {
		if (!(values[i] > 0)) {
			free(logs);
			return NULL;
		}
		logs[i] = log(values[i]);
	}
	return logs;
}

struct estimate faster_half__ratio(const double *top, size_t n, const double *bottom, size_t m, enum pairing pairing)
{
	autofree double *tops = logarithms(top, n), *bottoms = logarithms(bottom, m);
	struct estimate estimate = { .known = false };

	if (tops && bottoms)
		estimate = faster_half__difference(tops, n, bottoms, m, pairing);
	if (estimate.known)
		estimate.value = exp(estimate.value);
	if (estimate.bounded) {
		estimate.low = exp(estimate.low);
		estimate.high = exp(estimate.high);
	}
	return estimate;
}

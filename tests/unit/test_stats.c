// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/faster_half.h"
#include "base/quantile.h"

static void quantiles_interpolate(void **state)
{
	const double values[] = { 4, 1, 3, 2 };

	assert_true(quantile__median(values, 4) == 2.5);
	assert_true(quantile__median(values, 3) == 3);
	assert_true(quantile__median(values, 1) == 4);
	assert_true(quantile__of(values, 4, 0) == 1);
	assert_true(quantile__of(values, 4, 1) == 4);
	assert_true(values[0] == 4); /* the input is left as it was */
	assert_true(quantile__median(values, 2) == 2.5);
	assert_true(fabs(quantile__of(values, 4, 0.9) - 3.7) < 1e-12);
}

/* Nothing, and what was not measured, have none. */
static void quantiles_may_be_unknown(void **state)
{
	const double values[] = { 4, NAN, 3 };

	assert_true(isnan(quantile__median(values, 0)));
	assert_true(isnan(quantile__of_sorted(values, 0, 0.9)));
	assert_true(isnan(quantile__median(values, 3)));
	assert_true(isnan(quantile__of(values, 3, 0)));
	assert_true(quantile__median(values, 1) == 4);
}

/* Against the definition: the first that so many thousandths of all do not exceed. */
static void ranks_are_of_values_that_occurred(void **state)
{
	static const unsigned int thousandths[] = { 1, 250, 500, 990, 999, 1000 };

	for (uint64_t count = 1; count <= 2100; count++)
		for (int i = 0; i < 6; i++) {
			uint64_t rank = 0;

			while ((rank + 1) * 1000 < count * thousandths[i])
				rank++;
			assert_int_equal(quantile__rank(count, thousandths[i]), rank);
		}
	assert_int_equal(quantile__rank(UINT64_MAX, 1000), UINT64_MAX - 1);
}

static void few_values_allow_no_interval(void **state)
{
	const double values[] = { 5, 7, 9, 6, 8, 10 };
	struct estimate none = stats__median_estimate(values, 0);
	struct estimate five = stats__median_estimate(values, 5);
	struct estimate six = stats__median_estimate(values, 6);

	assert_false(none.known);
	assert_true(five.known && !five.bounded && five.value == 7);
	assert_true(six.known && six.bounded && six.value == 7.5);
	assert_true(six.low >= 5 && six.low < 7 && six.high <= 10 && six.high > 8);
}

/* Exchanges are drawn by a generator that starts the same each time. */
static void same_input_same_interval(void **state)
{
	const double values[] = { 11, 14, 12, 19, 13, 12, 15, 30 }, others[] = { 1, 2, 3, 4, 5, 6 };
	struct estimate first = faster_half__difference(values, 8, others, 6, UNPAIRED);
	struct estimate again = faster_half__difference(values, 8, others, 6, UNPAIRED);

	assert_true(first.low == again.low && first.high == again.high && first.low < first.high);
}

static void assert_estimate(struct estimate got, double value, double low, double high)
{
	assert_true(got.known && got.bounded);
	assert_close(got.value, value);
	assert_close_to(got.low, low);
	assert_close_to(got.high, high);
}

/* Noise that hits both sides of a round cancels out: that is what rounds are for. */
static void rounds_are_paired(void **state)
{
	const double bottom[] = { 10, 900, 20, 400, 15, 70, 33 };
	double top[7], more[7];
	struct estimate apart;

	for (int i = 0; i < 7; i++) {
		top[i] = 2 * bottom[i];
		more[i] = bottom[i] + 5;
	}
	assert_estimate(faster_half__ratio(top, 7, bottom, 7, PAIRED), 2, 2, 2);
	assert_estimate(faster_half__difference(more, 7, bottom, 7, PAIRED), 5, 5, 5);
	apart = faster_half__ratio(top, 7, bottom, 7, UNPAIRED);
	assert_close(apart.value, 2);
	assert_true(apart.low < 1 && apart.high > 4);
}

/*
 * The means of all seven, as fewer would allow no interval, and of the faster seven of ten. What the intervals are was
 * computed from the definition, by a program that tries all exchanges of rounds: 128, and 1,024.
 */
static const double tops[] = { 30, 10, 44, 12, 90, 20, 70, 500, 21, 600 };
static const double bottoms[] = { 10, 20, 12, 24, 18, 10, 46, 20, 31, 33 };

static void paired_values_are_exchanged_in_each_round(void **state)
{
	assert_estimate(faster_half__ratio(tops, 7, bottoms, 7, PAIRED), 1.7047769214546835, 0.5, 5);
	assert_estimate(faster_half__difference(tops, 7, bottoms, 7, PAIRED), 136.0 / 7, -12, 72);
	assert_estimate(faster_half__ratio(tops, 6, bottoms, 6, PAIRED), 1.7373558554305573, 0.5, 5);
	assert_estimate(faster_half__ratio(tops, 10, bottoms, 10, PAIRED), 1.5597461845218763, 0.669196, 4.564963);
	assert_estimate(faster_half__difference(tops, 10, bottoms, 10, PAIRED), 93.0 / 7, -4, 52);
	assert_false(faster_half__ratio(tops, 6, bottoms, 7, PAIRED).known);
	assert_false(faster_half__difference(tops, 7, bottoms, 6, PAIRED).known);
}

/* Of counts: 3, 1/2, ... the median of 20, -10, 32, -12, 72, 10, 24. */
static void counts_by_the_median_of_their_differences(void **state)
{
	assert_estimate(stats__median_difference(tops, bottoms, 7), 20, -12, 72);
	assert_false(stats__median_difference(tops, bottoms, 5).bounded);
	assert_false(stats__median_difference(tops, bottoms, 0).known);
}

static void others_among_all(void **state)
{
	const double tens[] = { 10, 10, 10, 10, 10, 10, 10 };
	struct estimate ratio = faster_half__ratio(tops, 7, bottoms, 7, UNPAIRED);

	assert_close(ratio.value, 1.7047769214546835);
	assert_true(ratio.bounded && ratio.low < 1 && ratio.high > 2);
	assert_close(faster_half__difference(tops, 7, tens, 6, UNPAIRED).value, 206.0 / 7);
	assert_true(faster_half__difference(tops, 7, tens, 7, UNPAIRED).low > 0); /* one of them is 10, too */
	assert_true(faster_half__difference(tops, 4, tens, 7, UNPAIRED).known);
}

/* Of 16 rounds each side has a third slowed, not in the same rounds: the others differ by 5 %. */
static void slow_rounds_hide_no_difference(void **state)
{
	double top[16], bottom[16];
	struct estimate ratio;

	for (int i = 0; i < 16; i++) {
		bottom[i] = 100 + 0.1 * (i * 7 % 16) + (i % 3 == 0 ? 20 + 3 * (i % 5) : 0);
		top[i] = 105 + 0.1 * (i * 5 % 16) + (i % 3 == 1 ? 25 + 2 * (i % 7) : 0);
	}
	for (int pairing = UNPAIRED; pairing <= PAIRED; pairing++) {
		ratio = faster_half__ratio(top, 16, bottom, 16, pairing);
		assert_true(ratio.value > 1.04 && ratio.value < 1.06);
		assert_true(ratio.low > 1 && ratio.high < 1.15);
	}
	assert_true(stats__median_difference(top, bottom, 16).low < 0);
}

/* To say "A takes 1.25 of B" is to say "B takes 0.8 of A", and for the ends as well. */
static void a_ratio_can_be_turned_round(void **state)
{
	for (size_t n = 6; n <= 7; n++) {
		struct estimate there = faster_half__ratio(tops, n, bottoms, n, PAIRED);
		struct estimate back = faster_half__ratio(bottoms, n, tops, n, PAIRED);

		assert_estimate(back, 1 / there.value, 1 / there.high, 1 / there.low);
	}
}

static void a_figure_needs_values_and_an_interval_six(void **state)
{
	const double zero[] = { 0, 1, 1, 1, 1, 1, 1 };

	assert_false(faster_half__ratio(tops, 5, bottoms, 5, PAIRED).bounded);
	assert_false(faster_half__ratio(tops, 5, bottoms, 7, UNPAIRED).bounded);
	assert_false(faster_half__difference(tops, 7, bottoms, 5, UNPAIRED).bounded);
	assert_true(faster_half__difference(tops, 5, bottoms, 5, PAIRED).known);
	assert_false(faster_half__ratio(tops, 0, bottoms, 7, UNPAIRED).known);
	assert_false(faster_half__difference(tops, 0, bottoms, 0, PAIRED).known);
	assert_false(faster_half__ratio(tops, 7, zero, 7, PAIRED).known);
	assert_false(faster_half__ratio(zero, 7, tops, 7, UNPAIRED).known);
}

static void a_difference_within_the_noise_spans_one(void **state)
{
	const double bottom[] = { 100, 130, 90, 120, 110, 95, 140, 105 };
	const double top[] = { 120, 95, 110, 100, 135, 105, 90, 125 };

	for (int pairing = UNPAIRED; pairing <= PAIRED; pairing++) {
		struct estimate ratio = faster_half__ratio(top, 8, bottom, 8, pairing);

		assert_true(ratio.low < 1 && ratio.high > 1);
	}
}

/*
 * Of 4,000 lists drawn from a skewed distribution at least 95 % have its median in their interval, within what chance makes
 * of them; and not nearly all, for then the interval would be too wide.
 */
static void an_interval_holds_the_median_in_95_percent(void **state)
{
	const size_t counts[] = { 6, 10, 11, 20, 40, 600 };
	unsigned short random[3] = { 0x330e, 7, 0 };
	double values[600];

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		const int lists = counts[i] == 600 ? 400 : 4000;
		int missed = 0;

		for (int list = 0; list < lists; list++) {
			struct estimate median;

			for (size_t k = 0; k < counts[i]; k++)
				values[k] = -log(1 - erand48(random)); /* its median: log(2) */
			median = stats__median_estimate(values, counts[i]);
			missed += log(2) < median.low || log(2) > median.high;
		}
		assert_in_range(missed, lists / 100, lists / 17);
	}
}

/* Of lists from one skewed distribution about 2 % differ (3 % of 6 values), within what chance makes of that. */
static void lists_of_one_distribution_seldom_differ(void **state)
{
	const size_t counts[] = { 6, 10, 20 };
	unsigned short random[3] = { 0x330e, 11, 0 };
	double values[2][20];
	int differ = 0;

	for (int pairing = UNPAIRED; pairing <= PAIRED; pairing++)
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
			for (int list = 0; list < 100; list++) {
				struct estimate ratio;

				for (size_t k = 0; k < 2 * counts[i]; k++)
					values[k % 2][k / 2] = 50 - 5 * log(1 - erand48(random));
				ratio = faster_half__ratio(values[0], counts[i], values[1], counts[i], pairing);
				differ += ratio.low > 1 || ratio.high < 1;
			}
	assert_in_range(differ, 3, 26); /* of 600 */
}

static void a_spread_holds_values_that_were_counted(void **state)
{
	double values[] = { 7, 3, 9, 4 }, holes[] = { 1, NAN };
	struct spread spread = stats__spread(values, 4);

	assert_true(spread.known && spread.median == 4 && spread.min == 3 && spread.max == 9);
	assert_false(stats__spread(holes, 2).known);
	assert_false(stats__spread(values, 0).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_interpolate),
		cmocka_unit_test(quantiles_may_be_unknown),
		cmocka_unit_test(ranks_are_of_values_that_occurred),
		cmocka_unit_test(few_values_allow_no_interval),
		cmocka_unit_test(an_interval_holds_the_median_in_95_percent),
		cmocka_unit_test(same_input_same_interval),
		cmocka_unit_test(rounds_are_paired),
		cmocka_unit_test(paired_values_are_exchanged_in_each_round),
		cmocka_unit_test(counts_by_the_median_of_their_differences),
		cmocka_unit_test(others_among_all),
		cmocka_unit_test(slow_rounds_hide_no_difference),
		cmocka_unit_test(lists_of_one_distribution_seldom_differ),
		cmocka_unit_test(a_ratio_can_be_turned_round),
		cmocka_unit_test(a_figure_needs_values_and_an_interval_six),
		cmocka_unit_test(a_difference_within_the_noise_spans_one),
		cmocka_unit_test(a_spread_holds_values_that_were_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>
#include <string.h>

#include "analysis/stats.h"

static void quantiles_interpolate(void **state)
{
	const double values[] = { 4, 1, 3, 2 };

	assert_true(stats__median(values, 4) == 2.5);
	assert_true(stats__median(values, 3) == 3);
	assert_true(stats__median(values, 1) == 4);
	assert_true(stats__quantile(values, 4, 0) == 1);
	assert_true(stats__quantile(values, 4, 1) == 4);
	assert_true(values[0] == 4); /* the input is left as it was */
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

static void same_input_same_interval(void **state)
{
	const double values[] = { 11, 14, 12, 19, 13, 12, 15, 30 };
	struct estimate first = stats__median_estimate(values, 8);
	struct estimate again = stats__median_estimate(values, 8);

	assert_memory_equal(&first, &again, sizeof(first));
	assert_true(first.low >= 11 && first.low < first.value);
	assert_true(first.high <= 30 && first.high > first.value);
}

/* Noise that hits both sides of a round cancels out: that is what rounds are for. */
static void rounds_are_paired(void **state)
{
	const double bottom[] = { 10, 900, 20, 400, 15, 70, 33 };
	double top[7];
	struct estimate ratio;

	for (int i = 0; i < 7; i++)
		top[i] = 2 * bottom[i];
	ratio = stats__ratio_estimate(top, 7, bottom, 7);
	assert_true(ratio.known && ratio.bounded);
	assert_true(ratio.value == 2 && ratio.low == 2 && ratio.high == 2);
}

static void unequal_counts_are_not_paired(void **state)
{
	const double bottom[] = { 10, 11, 12, 10, 11, 10, 11 };
	const double top[] = { 30, 33, 31, 32, 31, 32 };
	struct estimate ratio = stats__ratio_estimate(top, 6, bottom, 7);

	assert_true(ratio.bounded);
	assert_true(ratio.low > 2.4 && ratio.low <= ratio.value);
	assert_true(ratio.high < 3.4 && ratio.high >= ratio.value);
	assert_false(stats__ratio_estimate(top, 5, bottom, 7).bounded);
	assert_false(stats__ratio_estimate(top, 0, bottom, 7).known);
}

static void a_difference_within_the_noise_spans_one(void **state)
{
	const double bottom[] = { 100, 130, 90, 120, 110, 95, 140, 105 };
	const double top[] = { 120, 95, 110, 100, 135, 105, 90, 125 };
	struct estimate ratio = stats__ratio_estimate(top, 8, bottom, 8);

	assert_true(ratio.low < 1 && ratio.high > 1);
}

static void a_difference_is_of_medians(void **state)
{
	const double lazy[] = { 100, 300, 200, 250, 150, 260 };
	const double now[] = { 90, 290, 190, 240, 140, 250 };
	struct estimate difference = stats__difference_estimate(now, 6, lazy, 6);

	assert_true(difference.known && difference.bounded);
	assert_true(difference.value == -10 && difference.low == -10 && difference.high == -10);
	assert_false(stats__difference_estimate(now, 5, lazy, 5).bounded);
	assert_false(stats__difference_estimate(now, 0, lazy, 6).known);
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
		cmocka_unit_test(few_values_allow_no_interval),
		cmocka_unit_test(same_input_same_interval),
		cmocka_unit_test(rounds_are_paired),
		cmocka_unit_test(unequal_counts_are_not_paired),
		cmocka_unit_test(a_difference_within_the_noise_spans_one),
		cmocka_unit_test(a_difference_is_of_medians),
		cmocka_unit_test(a_spread_holds_values_that_were_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rounds are taken, and which are left out. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "analysis/series.h"

enum { ROUNDS = 9 };

/* Twice as long in each round; where others had the CPU, times are of another size and ratio. */
static const double plain[ROUNDS] = { 10, 20, 30, 40, 50, 60, 700, 800, 900 };
static const double twice[ROUNDS] = { 20, 40, 60, 80, 100, 120, 700, 800, 900 };
static const double late[ROUNDS] = { 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5 };
static const double at_times[ROUNDS] = { 0.5, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5 };

static struct series series(const double *values, const double *others)
{
	return (struct series){ .values = values, .others = others, .rounds = ROUNDS };
}

static void disturbed_rounds_are_left_out(void **state)
{
	const struct series quiet = series(plain, late), all = series(plain, NULL);
	size_t count;
	double *values = series__values(&quiet, &count);

	assert_int_equal(count, 6);
	assert_memory_equal(values, plain, 6 * sizeof(double));
	free(values);
	assert_int_equal(series__disturbed(&quiet, NULL), 3);
	assert_true(series__median(&quiet).value == 35 && series__median(&quiet).bounded);
	assert_true(series__median(&all).value == 50);
}

static void no_round_of_cpu_time_is_left_out(void **state)
{
	const struct series wall = series(twice, late), cpu = series__by_cpu(&wall, plain);

	assert_int_equal(series__disturbed(&cpu, NULL), 0);
	assert_true(series__median(&cpu).value == 50 && series__median(&cpu).bounded);
}

/* Which side was disturbed does not matter; of unpaired ones each side loses its own. */
static void of_comparisons_where_either_was(void **state)
{
	const struct series bottom = series(plain, NULL), quiet = series(plain, late);
	const struct series top = series(twice, late), both = series(twice, NULL);
	struct estimate ratio = series__ratio(&top, &bottom, PAIRED);

	assert_close(ratio.value, 2);
	assert_close_to(ratio.low, 2);
	assert_close_to(ratio.high, 2);
	assert_close(series__ratio(&both, &quiet, PAIRED).value, 2);
	assert_close(series__ratio(&both, &bottom, PAIRED).value, pow(2, 6.0 / 7)); /* of seven each, 700 is the same */
	assert_close(series__difference(&both, &bottom, UNPAIRED).value, 210.0 / 7);
	assert_close(series__difference(&top, &bottom, PAIRED).value, 35);
	assert_close(series__difference(&top, &bottom, UNPAIRED).value, 70 - 910.0 / 7);
}

/* Disturbances of both sides add up: five quiet rounds are left, and nothing is certain. */
static void too_few_quiet_rounds_allow_no_interval(void **state)
{
	const struct series top = series(twice, late), bottom = series(plain, at_times);
	struct estimate ratio = series__ratio(&top, &bottom, PAIRED);

	assert_int_equal(series__disturbed(&top, &bottom), 4);
	assert_true(ratio.known && !ratio.bounded);
	assert_close(ratio.value, pow(2, 6.0 / 7)); /* of all */
	assert_false(series__median(&bottom).bounded);
	assert_true(series__median(&bottom).value == 50);
	assert_false(series__ratio(&top, &bottom, UNPAIRED).bounded);
}

static void rounds_without_a_value_have_no_partner(void **state)
{
	const double holes[ROUNDS] = { 20, NAN, 60, 80, 100, 120, 1400, NAN, 1800 };
	const struct series top = series(holes, NULL), bottom = series(plain, NULL);
	const struct series none = series(NULL, NULL);
	struct series fewer = bottom;

	assert_close(series__ratio(&top, &bottom, PAIRED).value, 2);
	assert_true(series__median(&top).value == 100);
	assert_false(series__median(&none).known);
	assert_false(series__ratio(&none, &bottom, UNPAIRED).known);
	assert_false(series__difference(&top, &none, PAIRED).known);
	fewer.rounds--;
	assert_false(series__ratio(&top, &fewer, PAIRED).known);
	assert_true(series__ratio(&top, &fewer, UNPAIRED).known);
}

static void it_is_said(void **state)
{
	const struct series quiet = series(plain, late), few = series(plain, at_times);
	struct series two = series(plain, at_times);
	struct disturbance disturbance = { .all = 0 }, of_two = { .all = 0 };
	char *words = disturbance__words(&disturbance);

	assert_null(words);
	disturbance__add(&disturbance, &quiet);
	words = disturbance__words(&disturbance);
	assert_non_null(strstr(words, "3 of 9"));
	assert_non_null(strstr(words, "left out"));
	free(words);
	disturbance__add(&disturbance, &few);
	words = disturbance__words(&disturbance);
	assert_non_null(strstr(words, "7 of 18"));
	assert_non_null(strstr(words, "no interval"));
	free(words);
	two.rounds = 2;
	disturbance__add(&of_two, &two);
	words = disturbance__words(&of_two);
	assert_null(strstr(words, "left out"));
	assert_non_null(strstr(words, "all are used"));
	free(words);
	disturbance.busy = 0.4; /* processes that nobody has waited for may be children of the command */
	words = disturbance__words(&disturbance);
	assert_non_null(strstr(words, "left running, used the CPUs for 40 % of the timed rounds"));
	free(words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disturbed_rounds_are_left_out),
		cmocka_unit_test(no_round_of_cpu_time_is_left_out),
		cmocka_unit_test(of_comparisons_where_either_was),
		cmocka_unit_test(too_few_quiet_rounds_allow_no_interval),
		cmocka_unit_test(rounds_without_a_value_have_no_partner),
		cmocka_unit_test(it_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

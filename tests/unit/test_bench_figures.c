// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures of a bench from values whose answers are known. */
#include "unit.h"

#include <math.h>

#include "analysis/bench/bench_results.h"

enum { ROUNDS = 20 };

/* Two rows; times of the second are given, those of the first twice that, and both share noise. */
static struct bench *example(const double *times)
{
	struct bench *bench = bench__new(BENCH_FORK);

	bench->rounds = ROUNDS;
	bench__add_row(bench, "dynamic", NULL);
	bench__add_row(bench, "static", NULL);
	bench__add_baseline(bench, "static", 1, BENCH_SAME);
	bench__make_cells(bench);
	for (uint32_t row = 0; row < 2; row++) {
		struct bench_cell *cell = bench__cell(bench, row, 0);
		double *values = bench_cell__room(cell, BENCH_METRIC_TIME, ROUNDS);

		for (int i = 0; i < ROUNDS; i++)
			values[i] = times[i] * (row ? 1 : 2);
		bench_cell__set_state(cell, BENCH_MEASURED, NULL, NULL);
	}
	return bench;
}

/* Noise that both rows share falls out of the ratio. */
static void test_ratio_pair_by_pair(void **state)
{
	struct bench_analysis *analysis;
	struct bench *bench;
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = 100 + 50 * (i * 7 % 10);
	bench = example(times);
	analysis = bench_analysis__new(bench);
	assert_close(analysis->cells[0].ratios[0].value, 2);
	assert_close_to(analysis->cells[0].ratios[0].low, 2);
	assert_true(analysis->cells[1].is_baseline[0]);
	assert_false(analysis->cells[1].ratios[0].known);
	assert_int_equal(estimate__shows(&analysis->cells[0].ratios[0], 1), SHOWN_MORE);
	assert_true(analysis->cells[1].metrics[BENCH_METRIC_TIME].value == 325);
	assert_true(analysis->cells[1].min == 100 && analysis->cells[1].max == 550);
	bench_analysis__free(analysis);
	bench__free(bench);
}

static void test_rate_has_its_bounds_swapped(void **state)
{
	struct bench_analysis *analysis;
	const struct bench_figures *figures;
	struct bench *bench;
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = 1e6 + 1e4 * (i % 5);
	bench = example(times);
	analysis = bench_analysis__new(bench);
	figures = &analysis->cells[1];
	assert_true(figures->rate.low <= figures->rate.value);
	assert_true(figures->rate.value <= figures->rate.high);
	assert_true(fabs(figures->rate.value - 1e9 / 1.02e6) < 1e-6);
	bench_analysis__free(analysis);
	bench__free(bench);
}

static void test_verdicts(void **state)
{
	const struct estimate same = { true, true, 1.1, 0.9, 1.3 };
	const struct estimate slower = { true, true, 1.1, 1.01, 1.3 };
	const struct estimate faster = { true, true, 0.8, 0.7, 0.99 };
	const struct estimate unbounded = { true, false, 2, 0, 0 }, unknown = { false, true, 2, 2, 2 };
	const struct estimate from = { true, true, 1.1, 1, 1.3 }, to = { true, true, 0.9, 0.7, 1 };

	assert_int_equal(estimate__shows(&same, 1), SHOWN_NOTHING);
	assert_int_equal(estimate__shows(&slower, 1), SHOWN_MORE);
	assert_int_equal(estimate__shows(&faster, 1), SHOWN_LESS);
	assert_int_equal(estimate__shows(&unbounded, 1), SHOWN_UNKNOWN);
	assert_int_equal(estimate__shows(&unknown, 1), SHOWN_UNKNOWN);
	assert_int_equal(estimate__shows(&from, 1), SHOWN_NOTHING); /* it has the value at its end */
	assert_int_equal(estimate__shows(&to, 1), SHOWN_NOTHING);
	assert_int_equal(estimate__shows(&to, 0), SHOWN_MORE);
}

/* 100 if there is none at all. */
static size_t warnings_of_bench(const struct bench *bench, const char *part)
{
	struct bench_analysis *analysis = bench_analysis__new(bench);
	size_t found = 0;

	for (size_t i = 0; i < analysis->warning_count; i++)
		found += strstr(analysis->warnings[i], part) != NULL;
	found += analysis->warning_count ? 0 : 100;
	bench_analysis__free(analysis);
	return found;
}

static size_t warnings_of(const double *times, const char *part)
{
	struct bench *bench = example(times);
	size_t found = warnings_of_bench(bench, part);

	bench__free(bench);
	return found;
}

/* The first round is left out: the first that counts is no first one. */
static void test_first_round_is_left_out(void **state)
{
	double times[ROUNDS] = { 100, 400 };
	struct bench *bench;

	for (int i = 2; i < ROUNDS; i++)
		times[i] = 100 + i % 3;
	bench = example(times);
	for (uint32_t row = 0; row < 2; row++) {
		double *others = bench_cell__room(&bench->cells[row], BENCH_METRIC_OTHERS, ROUNDS);

		for (int i = 0; i < ROUNDS; i++)
			others[i] = i ? 0 : 0.9;
	}
	assert_int_equal(warnings_of_bench(bench, "The first round"), 0);
	assert_int_equal(warnings_of_bench(bench, "Some rounds"), 1);
	bench__free(bench);
}

static void test_warnings(void **state)
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = 100 + i % 3;
	assert_int_equal(warnings_of(times, ""), 100);
	times[7] = 400;
	assert_int_equal(warnings_of(times, "Some rounds"), 1);
	times[7] = 100;
	times[0] = 400;
	assert_int_equal(warnings_of(times, "The first round"), 1);
	for (int i = 0; i < ROUNDS; i++)
		times[i] = 100 + 3 * i;
	assert_int_equal(warnings_of(times, "Times grew"), 1);
	for (int i = 0; i < ROUNDS; i++)
		times[i] = 200 - 3 * i;
	assert_int_equal(warnings_of(times, "Times fell"), 1);
}

/* Rounds that others disturbed fall out, of the ratio where they disturbed either cell. */
static void test_disturbed_rounds(void **state)
{
	double times[ROUNDS], *others;
	struct bench_analysis *analysis;
	struct bench *bench;

	for (int i = 0; i < ROUNDS; i++)
		times[i] = i < 13 ? 500 : 100;
	bench = example(times);
	others = bench_cell__room(&bench->cells[1], BENCH_METRIC_OTHERS, ROUNDS);
	for (int i = 0; i < ROUNDS; i++)
		others[i] = i < 13 ? 0.4 : i < 19 ? 0.14 : 0.05;
	analysis = bench_analysis__new(bench);
	assert_true(analysis->cells[1].metrics[BENCH_METRIC_TIME].value == 100);
	assert_true(analysis->cells[1].max == 100);
	assert_true(analysis->cells[0].ratios[0].bounded);
	assert_true(analysis->cells[0].metrics[BENCH_METRIC_TIME].value == 1000);
	bench_analysis__free(analysis);
	assert_int_equal(warnings_of_bench(bench, "left out"), 1);

	for (int i = 13; i < 15; i++)
		others[i] = 0.16;
	analysis = bench_analysis__new(bench);
	assert_true(analysis->cells[1].metrics[BENCH_METRIC_TIME].value == 500);
	assert_false(analysis->cells[1].metrics[BENCH_METRIC_TIME].bounded);
	assert_close(analysis->cells[0].ratios[0].value, 2);
	assert_false(analysis->cells[0].ratios[0].bounded);
	bench_analysis__free(analysis);
	assert_int_equal(warnings_of_bench(bench, "no interval"), 1);
	bench__free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratio_pair_by_pair),
		cmocka_unit_test(test_rate_has_its_bounds_swapped),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_first_round_is_left_out),
		cmocka_unit_test(test_disturbed_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>

#include "analysis/bench/serve_results.h"
#include "model/bench/bench.h"

enum { ROUNDS = 7, CELLS = 4 };

/* Rows fork and pre-fork by columns dynamic and static; CPU times that can be checked by hand. */
static struct bench *some_bench(size_t rounds)
{
	static const double cpu_ns[CELLS] = { 150e3, 80e3, 10e3, 160e3 };
	static const double spread[ROUNDS] = { 0, 100, -100, 200, -200, 50, -50 };
	struct bench *bench = bench__new(BENCH_SERVE);

	bench__add_row(bench, "fork", NULL);
	bench__add_row(bench, "pre-fork", NULL);
	bench__add_column(bench, "dynamic", NAN);
	bench__add_column(bench, "static", NAN);
	bench__add_baseline(bench, "fork", 0, BENCH_SAME);
	bench__make_cells(bench);
	bench->rounds = rounds;
	for (size_t cell = 0; cell < CELLS; cell++) {
		double *values = bench_cell__room(&bench->cells[cell], BENCH_METRIC_CPU, rounds);

		bench->cells[cell].state = BENCH_MEASURED;
		for (size_t i = 0; i < rounds; i++)
			values[i] = cpu_ns[cell] + spread[i];
	}
	return bench;
}

static void the_load_of_a_saved_bench_is_read(void **state)
{
	struct bench *bench = some_bench(ROUNDS);
	struct serve_question question;

	assert_false(serve_question__of(bench, &question));
	bench_notes__add(&bench->settings, SERVE_RATE_NOTE, "35/s");
	bench_notes__add(&bench->settings, SERVE_CPU_NOTE, "28 ms");
	assert_true(serve_question__of(bench, &question));
	assert_true(question.rate == 35);
	assert_true(question.cpu_ns == 28e6);
	assert_true(fabs(serve_question__busy(&question) - 0.98) < 1e-9);
	bench__free(bench);
}

static void what_is_no_load_is_not_taken_for_one(void **state)
{
	static const char *const rates[] = { "", "35", "/s", "-35/s", "0/s", "inf/s", "nan/s",
					     "1e999/s", "35/sec", "35/s ", "x/s", NULL };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct bench *bench = some_bench(ROUNDS);
		struct serve_question question;

		bench_notes__add(&bench->settings, SERVE_RATE_NOTE, rates[i]);
		assert_false(serve_question__of(bench, &question));
		assert_true(isnan(question.rate));
		bench__free(bench);
	}
}

static void savings_are_shares_of_the_users_own_load(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = 28e6 };
	struct bench *bench = some_bench(ROUNDS);
	struct serve_answer answer = serve_answer__of(bench, &question, 2);

	assert_true(answer.saving_ns.known && answer.saving_ns.bounded && answer.is_shown);
	assert_true(fabs(answer.saving_ns.value - 140e3) < 1);
	assert_true(fabs(answer.of_request - 0.005) < 1e-6); /* 140 us of 28 ms */
	assert_true(fabs(answer.of_cpu - 0.0049) < 1e-6); /* 35 times 140 us in a second */
	/* 50 ms in a second are 357.1 times 140 us; 140 us are 5 % of 2.8 ms. */
	assert_true(fabs(answer.from_rate - 357.142857) < 0.01);
	assert_true(fabs(answer.below_cpu_ns - 2.8e6) < 100);
	bench__free(bench);
}

static void what_costs_more_never_begins_to_matter(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = 28e6 };
	struct bench *bench = some_bench(ROUNDS);
	struct serve_answer answer = serve_answer__of(bench, &question, 3);

	assert_true(answer.is_shown);
	assert_true(answer.saving_ns.value < 0 && answer.of_cpu < 0);
	assert_true(isnan(answer.from_rate) && isnan(answer.below_cpu_ns));
	bench__free(bench);
}

static void a_difference_that_may_be_chance_is_none(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = 28e6 };
	struct bench *bench = some_bench(ROUNDS);
	double *values = bench->cells[2].values[BENCH_METRIC_CPU];
	struct serve_answer answer;

	for (size_t i = 0; i < ROUNDS; i++)
		values[i] = 150e3 + (i % 2 ? 5e3 : -5e3);
	answer = serve_answer__of(bench, &question, 2);
	assert_true(answer.saving_ns.known && !answer.is_shown);
	assert_true(isnan(answer.from_rate));
	bench__free(bench);
}

/* In round 6 others had the CPU, and the saving looks ten times what it is. */
static void disturbed_rounds_save_nothing(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = 28e6 };
	struct bench *bench = some_bench(ROUNDS);
	struct serve_answer answer;

	for (size_t i = 0; i < ROUNDS; i++)
		bench->cells[2].values[BENCH_METRIC_CPU][i] = 150e3 - (i < 6 ? 1e3 : 10e3);
	for (size_t i = 0; i < ROUNDS; i++)
		bench->cells[0].values[BENCH_METRIC_CPU][i] = 150e3;
	answer = serve_answer__of(bench, &question, 2);
	assert_true(answer.saving_ns.high >= 1e3);
	bench_cell__room(&bench->cells[0], BENCH_METRIC_OTHERS, ROUNDS)[6] = 0.9;
	for (size_t i = 0; i < 6; i++)
		bench->cells[0].values[BENCH_METRIC_OTHERS][i] = 0;
	answer = serve_answer__of(bench, &question, 2);
	assert_true(answer.saving_ns.value == 1e3 && answer.saving_ns.high == 1e3);
	assert_true(answer.is_shown);
	bench_cell__room(&bench->cells[2], BENCH_METRIC_OTHERS, ROUNDS)[0] = 0.9;
	answer = serve_answer__of(bench, &question, 2);
	assert_true(answer.saving_ns.known && !answer.is_shown);
	bench__free(bench);
}

static void two_rounds_allow_a_figure_but_no_verdict(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = NAN };
	struct bench *bench = some_bench(2);
	struct serve_answer answer = serve_answer__of(bench, &question, 2);

	assert_true(answer.saving_ns.known && !answer.saving_ns.bounded && !answer.is_shown);
	assert_false(isnan(answer.of_cpu));
	assert_true(isnan(answer.of_request) && isnan(answer.from_rate));
	bench__free(bench);
}

static void without_forks_there_is_no_answer(void **state)
{
	const struct serve_question question = { .rate = 35, .cpu_ns = 28e6 };
	struct bench *bench = some_bench(ROUNDS);

	assert_true(serve_answer__possible(bench));
	bench_cell__set_state(&bench->cells[0], BENCH_FAILED, "killed", NULL);
	assert_false(serve_answer__possible(bench));
	assert_false(serve_answer__of(bench, &question, 2).saving_ns.known);
	bench__free(bench);

	bench = some_bench(ROUNDS);
	bench->baselines[0].row = 1; /* the first row is no row of forks then */
	assert_false(serve_answer__possible(bench));
	bench__free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_load_of_a_saved_bench_is_read),
		cmocka_unit_test(what_is_no_load_is_not_taken_for_one),
		cmocka_unit_test(savings_are_shares_of_the_users_own_load),
		cmocka_unit_test(what_costs_more_never_begins_to_matter),
		cmocka_unit_test(a_difference_that_may_be_chance_is_none),
		cmocka_unit_test(disturbed_rounds_save_nothing),
		cmocka_unit_test(two_rounds_allow_a_figure_but_no_verdict),
		cmocka_unit_test(without_forks_there_is_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

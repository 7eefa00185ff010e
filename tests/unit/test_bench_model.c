// SPDX-License-Identifier: GPL-2.0-or-later
/* A bench saved and read again, and what reading refuses. */
#include "unit.h"

#include <math.h>

#include "model/bench/bench.h"
#include "run_text.h"

static struct bench *example(void)
{
	static char *const command[] = { "fork", "--rounds", "3" };
	struct bench *bench = bench__new(BENCH_FORK);
	struct bench_cell *cell;

	bench__set_command(bench, command, 3);
	bench->version = strdup("1");
	bench->rounds = 3;
	bench_notes__add(&bench->settings, "rounds", "3");
	bench_notes__add(&bench->facts, "governor", NULL);
	bench__warn(bench, "%s", "100 % hostile \x1b[2J");
	bench__add_row(bench, "dynamic", "as it comes");
	bench__add_row(bench, "static", NULL);
	bench__add_column(bench, "0", 0);
	bench__add_column(bench, "16", 16);
	bench__add_baseline(bench, "static", 1, BENCH_SAME);
	bench__make_cells(bench);
	cell = bench__cell(bench, 0, 1);
	cell->operations = 100;
	cell->per_op[PER_OP_MINOR_FAULTS] = 17.25;
	for (int i = 0; i < 3; i++) {
		bench_cell__room(cell, BENCH_METRIC_TIME, 3)[i] = 1000.125 + i;
		if (i)
			bench_cell__room(cell, BENCH_METRIC_CPU, 3)[i] = 900 + i;
	}
	bench_cell__set_state(cell, BENCH_MEASURED, NULL, NULL);
	bench_cell__set_state(bench__cell(bench, 1, 0), BENCH_UNAVAILABLE, "none", "get one");
	return bench;
}

static char *saved(const struct bench *bench)
{
	return document_of(SAVED_BENCH, bench);
}

static struct bench *load(char *text, char **reason)
{
	struct saved what;

	*reason = read_document(text, strlen(text), &what);
	assert_null(what.run);
	return what.bench;
}

static void test_saved_and_read_again(void **state)
{
	struct bench *bench = example(), *again;
	char *text = saved(bench), *text_again, *reason = NULL;
	const struct bench_cell *cell;

	again = load(text, &reason);
	assert_null(reason);
	text_again = saved(again);
	assert_string_equal(text, text_again);
	cell = bench__cell(again, 0, 1);
	assert_true(cell->values[BENCH_METRIC_TIME][2] == 1002.125);
	assert_true(isnan(cell->values[BENCH_METRIC_CPU][0]));
	assert_true(isnan(cell->per_op[PER_OP_COW_COPIES]));
	assert_null(cell->values[BENCH_METRIC_PSS]);
	assert_string_equal(bench__cell(again, 1, 0)->remedy, "get one");
	assert_ptr_equal(bench__baseline_cell(again, &again->baselines[0], 0, 1),
			 bench__cell(again, 1, 1));
	bench__free(bench);
	bench__free(again);
	free(text);
	free(text_again);
}

static const struct damage damages[] = {
	{ "forktax-bench/1", "forktax-bench/2", "another version" },
	{ "forktax-bench/1", "forktax/1", "\"attached\" is missing" },
	{ "\"kind\":\"fork\"", "\"kind\":\"spoon\"", "does not know" },
	{ "\"rounds\":3", "\"rounds\":4", "one value per round" },
	{ "\"rounds\":3", "\"rounds\":-1", "not in" },
	{ "\"static\",\"what\"", "\"dynamic\",\"what\"", "two rows" },
	{ "\"row\":1,\"column\":null", "\"row\":2,\"column\":null", "not in" },
	{ "1001.125", "0", "not above 0" },
	{ "1001.125", "-1", "impossible value" },
	{ "1001.125", "\"x\"", "not of type number" },
	{ "\"state\":\"measured\"", "\"state\":\"failed\"", "was not measured" },
	{ "\"row\":0,\"column\":1,\"state\"", "\"row\":1,\"column\":1,\"state\"", "not in the order of rows and columns" },
	{ "{\"row\":0,\"column\":0,\"state\"", "1,{\"row\":0,\"column\":0,\"state\"", "number of cells is not rows" },
};

static void test_refuses(void **state)
{
	struct bench *bench = example();
	char *text = saved(bench);

	refuse_damages_of(text, text, damages, ARRAY_LENGTH(damages));
	free(text);
	bench__free(bench);
}

static void test_failing_drops_values(void **state)
{
	struct bench *bench = example();
	struct bench_cell *cell = bench__cell(bench, 0, 1);

	bench_cell__set_state(cell, BENCH_FAILED, "it broke", NULL);
	assert_null(cell->values[BENCH_METRIC_TIME]);
	assert_true(isnan(cell->per_op[PER_OP_MINOR_FAULTS]));
	assert_null(bench__contradiction(bench));
	bench__free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved_and_read_again),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_failing_drops_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>
#include <string.h>

#include "analysis/bindnow/bindnow.h"
#include "analysis/compare/comparison.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/bindnow/bindnow_words.h"

static struct estimate known(double value, double low, double high)
{
	return (struct estimate){ true, true, value, low, high };
}

static const struct estimate unknown = { .known = false };

static void a_start_is_paid_by_children(void **state)
{
	struct break_even even = break_even__of(known(100, 50, 150), known(30, 20, 40));

	assert_int_equal(even.pays, PAYS_AFTER);
	assert_int_equal(even.children, 4); /* 3 * 30 < 100 < 4 * 30 */
	assert_int_equal(even.low, 2);	    /* 3.3 less 2.0: both ends at once would be 1.25 */
	assert_int_equal(even.high, 6);	    /* 3.3 and 2.4: both ends at once would be 7.5 */
	even = break_even__of(known(20, 20, 20), known(10, 10, 10));
	assert_int_equal(even.children, 3); /* with two it is the same */
}

static void intervals_bear_the_statement(void **state)
{
	const struct estimate loose = { true, false, 5, 5, 5 };

	assert_int_equal(break_even__of(known(-5, -9, -1), known(30, 20, 40)).pays, PAYS_ALWAYS);
	assert_int_equal(break_even__of(known(0, 0, 0), known(30, 20, 40)).pays, PAYS_ALWAYS);
	assert_int_equal(break_even__of(known(9, -1, 90), known(30, 20, 40)).pays, PAYS_AT_LATEST);
	assert_int_equal(break_even__of(known(9, -1, 90), known(30, 20, 40)).high, 4);
	assert_int_equal(break_even__of(known(9, 5, 90), known(-3, -5, 0)).pays, PAYS_NEVER);
	assert_int_equal(break_even__of(known(9, 5, 90), known(1, -5, 9)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(known(0, 0, 0), known(0, 0, 0)).pays, PAYS_NO_DIFFERENCE);
	assert_int_equal(break_even__of(loose, known(30, 20, 40)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(unknown, known(30, 20, 40)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(known(1, 1, 1), unknown).pays, PAYS_UNKNOWN);
}

/* 100 children save what the whole takes less, and what the start takes more. */
static void the_saving_of_a_child_is_what_the_start_leaves(void **state)
{
	struct break_even even = break_even__of_whole(known(200, 160, 240), known(-2800, -2830, -2770), 100);
	const struct estimate saving = even.saving;

	assert_true(saving.known && saving.bounded && saving.value == 30);
	assert_true(fabs(saving.low - 29.5) < 1e-9 && fabs(saving.high - 30.5) < 1e-9);
	assert_int_equal(even.pays, PAYS_AFTER);
	assert_int_equal(even.children, 7);
	assert_int_equal(even.low, 6);
	assert_int_equal(even.high, 8);
	/* Its start may take 575 us more, if each of 20 children saves 49 then. */
	even = break_even__of_whole(known(-40, -49, 575), known(-400, -410, -390), 20);
	assert_int_equal(even.pays, PAYS_AT_LATEST);
	assert_int_equal(even.high, 12);
	/* Its start varies too much, but they are paid for. */
	even = break_even__of_whole(known(-40, -9000, 575), known(-400, -410, -390), 20);
	assert_int_equal(even.pays, PAYS_AT_LATEST);
	assert_int_equal(even.high, 12);
	even = break_even__of_whole(known(-40, -9000, 57500), known(-400, -700, -1), 20);
	assert_int_equal(even.high, 20);
	assert_int_equal(break_even__of_whole(known(-40, -9000, 575), known(-400, -910, 90), 20).pays, PAYS_UNKNOWN);
	assert_false(break_even__of_whole(unknown, known(1, 1, 1), 100).saving.known);
	assert_false(break_even__of_whole(known(1, 1, 1), known(1, 1, 1), 0).saving.known);
	assert_false(break_even__of_whole(known(1, 1, 1), known(1, 1, 1), NAN).saving.known);
}

static void more_children_than_there_ever_are_is_none(void **state)
{
	struct break_even even = break_even__of(known(1e9, 1, 1e12), known(1, 1e-9, 2));

	assert_int_equal(even.pays, PAYS_AFTER);
	assert_int_equal(even.high, 0);
}

static void assert_even(struct break_even even, bool is_time, const char *text)
{
	char *words = bindnow_words__break_even(&even, is_time);

	assert_string_equal(words, text);
	free(words);
}

static void break_even_reads_well(void **state)
{
	assert_even(break_even__of(known(100e3, 50e3, 150e3), known(30e3, 20e3, 40e3)), true,
		    "pays off from the 4th child on (2nd to 6th). Difference: start +100 "
		    "(50..150) us (traced), each child -30 (-40..-20) us (traced)");
	assert_even(break_even__of(known(21, 21, 21), known(1, 1, 1)), false,
		    "pays off from the 22nd child on. Difference: start +21, each child -1");
	assert_even(break_even__of(known(1, -2, 11), known(1, 1, 1)), false,
		    "pays off from the 12th child on at the latest, because no higher cost of the start "
		    "is shown. Difference: start +1 (-2..11), each child -1");
	assert_even(break_even__of(known(1, 1, 1), known(-0.04, -0.06, 0)), false,
		    "never pays off, because children save nothing. Difference: start +1, each child +0.04 (0.00..0.06)");
	assert_even(break_even__of(known(1, 1, 1), known(1, -2, 3)), false,
		    "from which child on it pays off is not shown, because the interval of the children holds 0. "
		    "Difference: start +1, each child -1 (-3..2)");
	assert_even(break_even__of(unknown, known(1, 1, 1)), false, "not measured");
}

/* Without runs: what the files alone tell. */
static struct comparison *of_files(const enum bindnow_way *ways, size_t count)
{
	char *const command[] = { "command", "argument", NULL }, *const settings[] = { BINDNOW_NOW, NULL };
	struct compare_column *columns = checked_calloc(SIDE_COUNT, sizeof(*columns));
	struct bindnow_files *files = checked_calloc(1, sizeof(*files));

	files->count = count;
	files->files = checked_calloc(count, sizeof(*files->files));
	for (size_t i = 0; i < count; i++) {
		files->files[i].path = checked_strdup("/file");
		files->files[i].way = ways[i];
	}
	for (int side = 0; side < SIDE_COUNT; side++) {
		columns[side].label = checked_strdup("label");
		columns[side].command = text__copy_list(command);
	}
	columns[SIDE_LAZY].bound = files;
	columns[SIDE_NOW].settings = text__copy_list(settings);
	return comparison__new(columns, SIDE_COUNT, SIDE_LAZY);
}

static void assert_says(const struct comparison *comparison, const char *part)
{
	const struct bindnow bindnow = bindnow__of(comparison);
	char *verdict = bindnow_words__verdict(&bindnow);

	if (!strstr(verdict, part))
		assert_string_equal(verdict, part);
	free(verdict);
}

static void assert_verdict(const enum bindnow_way *ways, size_t count, const char *part)
{
	struct comparison *comparison = of_files(ways, count);

	assert_says(comparison, part);
	comparison__free(comparison);
}

static void files_tell_when_nothing_can_change(void **state)
{
	assert_verdict((const enum bindnow_way[]){ WAY_STATIC }, 1, "the command is static");
	assert_verdict((const enum bindnow_way[]){ WAY_MUSL, WAY_NO_SLOTS }, 2, "musl binds");
	assert_verdict((const enum bindnow_way[]){ WAY_NOW, WAY_NO_SLOTS, WAY_NOW }, 3,
		       "ask to be bound at start anyway");
	assert_verdict((const enum bindnow_way[]){ WAY_NO_SLOTS }, 1, "no file has functions");
	assert_verdict((const enum bindnow_way[]){ WAY_NOW, WAY_STATIC, WAY_SELF }, 3,
		       "no file binds at first call");
	assert_verdict((const enum bindnow_way[]){ WAY_NOW, WAY_LAZY }, 2,
		       "is unknown: it was not timed.");
	assert_verdict((const enum bindnow_way[]){ WAY_UNKNOWN }, 1, "is unknown");
}

/* Where the program itself has nothing left, its libraries have. */
static void what_is_left_to_bind_is_said(void **state)
{
	struct comparison *comparison = of_files((const enum bindnow_way[]){ WAY_NOW, WAY_LAZY, WAY_LAZY, WAY_LAZY }, 4);
	struct bindnow_file *files = comparison->columns[SIDE_LAZY].bound->files;

	files[0].is_program = true;
	for (int i = 1; i < 4; i++)
		files[i].functions = 14;
	files[1].opened = files[2].opened = true;
	assert_says(comparison, "is linked with -z now already: only 14 functions of file and 28 functions of 2 libraries "
				"that it opens (dlopen), unless with RTLD_NOW, are left to a first call.");
	files[2].way = files[1].way = WAY_NOW;
	files[0].way = WAY_NO_SLOTS;
	assert_says(comparison, "has no function left to a first call (-fno-plt): only 14 functions of file are left");
	files[0].way = WAY_LAZY;
	assert_says(comparison, "it was not timed.");
	comparison__free(comparison);
}

static void replace(char ***list, char *const *by)
{
	text__free_list(*list);
	*list = by ? text__copy_list(by) : NULL;
}

static void a_comparison_may_be_one_of_bindnow(void **state)
{
	char *const none[] = { BINDNOW_LAZY, NULL }, *const other[] = { "LD_BIND_NOW=0", NULL };
	char *const two[] = { BINDNOW_NOW, "A=b", NULL }, *const longer[] = { "command", "argument", "x", NULL };
	struct comparison *comparison = of_files((const enum bindnow_way[]){ WAY_LAZY }, 1);
	struct compare_column *lazy = &comparison->columns[SIDE_LAZY], *now = &comparison->columns[SIDE_NOW];
	struct bindnow_files *bound = lazy->bound;

	assert_true(bindnow__is_of(comparison));
	lazy->bound = NULL;
	assert_false(bindnow__is_of(comparison));
	lazy->bound = bound;
	replace(&lazy->settings, other);
	assert_false(bindnow__is_of(comparison));
	replace(&lazy->settings, none);
	assert_true(bindnow__is_of(comparison));
	comparison->baseline = SIDE_NOW;
	assert_false(bindnow__is_of(comparison));
	comparison->baseline = SIDE_LAZY;
	replace(&now->command, longer);
	assert_false(bindnow__is_of(comparison));
	replace(&now->command, lazy->command);
	replace(&now->settings, two);
	assert_false(bindnow__is_of(comparison));
	replace(&now->settings, NULL);
	assert_false(bindnow__is_of(comparison));
	comparison__free(comparison);
}

static void assert_outcome(struct estimate ratio, struct estimate time, double explained,
			   enum bindnow_outcome outcome)
{
	const struct bindnow_evidence evidence = {
		.may_matter = true,
		.ratio = ratio,
		.time = time,
		.explained = explained,
	};

	assert_int_equal(bindnow_verdict__of(&evidence).outcome, outcome);
}

static void the_whole_decides_as_far_as_it_is_explained(void **state)
{
	const struct estimate less = known(0.8, 0.7, 0.9), more = known(1.2, 1.1, 1.3);
	const struct estimate same = known(1, 0.9, 1.1), loose = { true, false, 0.5, 0.5, 0.5 };
	const struct estimate saves = known(-20, -30, -10), costs = known(20, 10, 30);

	assert_outcome(less, saves, NAN, OUTCOME_PAYS);
	assert_outcome(less, saves, 10, OUTCOME_PAYS);
	assert_outcome(less, saves, 9, OUTCOME_UNEXPLAINED);
	assert_outcome(more, costs, 10, OUTCOME_COSTS);
	assert_outcome(more, costs, 9, OUTCOME_UNEXPLAINED);
	assert_outcome(same, known(0, -10, 10), 0, OUTCOME_NOT_SHOWN);
	assert_outcome(unknown, unknown, 0, OUTCOME_NOT_MEASURED);
	assert_outcome(loose, loose, NAN, OUTCOME_NOT_MEASURED);
}

static void counts_and_files_are_part_of_the_verdict(void **state)
{
	struct bindnow_evidence evidence = { .faults = known(-3, -5, 0), .ratio = known(0.8, 0.7, 0.9) };

	assert_int_equal(bindnow_verdict__of(&evidence).faults, SHOWN_NOTHING);
	assert_int_equal(bindnow_verdict__of(&evidence).outcome, OUTCOME_NOTHING_TO_BIND);
}

static void files_at_start_must_be_known(void **state)
{
	struct bindnow_file list[] = {
		{ .at_start = true, .way = WAY_LAZY },
		{ .at_start = false, .way = WAY_UNKNOWN },
	};
	struct bindnow_files files = { .files = list, .count = 2 };

	assert_true(bindnow_files__are_known(&files));
	files.left_out = 1;
	assert_false(bindnow_files__are_known(&files));
	files.left_out = 0;
	list[0].way = WAY_UNKNOWN;
	assert_false(bindnow_files__are_known(&files));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_is_paid_by_children),
		cmocka_unit_test(intervals_bear_the_statement),
		cmocka_unit_test(more_children_than_there_ever_are_is_none),
		cmocka_unit_test(the_saving_of_a_child_is_what_the_start_leaves),
		cmocka_unit_test(break_even_reads_well),
		cmocka_unit_test(files_tell_when_nothing_can_change),
		cmocka_unit_test(a_comparison_may_be_one_of_bindnow),
		cmocka_unit_test(the_whole_decides_as_far_as_it_is_explained),
		cmocka_unit_test(counts_and_files_are_part_of_the_verdict),
		cmocka_unit_test(what_is_left_to_bind_is_said),
		cmocka_unit_test(files_at_start_must_be_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

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
	assert_int_equal(even.low, 2);	    /* 1 * 40 < 50 < 2 * 40 */
	assert_int_equal(even.high, 8);	    /* 7 * 20 < 150 < 8 * 20 */
	even = break_even__of(known(20, 20, 20), known(10, 10, 10));
	assert_int_equal(even.children, 3); /* with two it is the same */
}

static void intervals_bear_the_statement(void **state)
{
	const struct estimate loose = { true, false, 5, 5, 5 };

	assert_int_equal(break_even__of(known(-5, -9, -1), known(30, 20, 40)).pays, PAYS_ALWAYS);
	assert_int_equal(break_even__of(known(0, 0, 0), known(30, 20, 40)).pays, PAYS_ALWAYS);
	assert_int_equal(break_even__of(known(9, -1, 90), known(30, 20, 40)).pays, PAYS_AT_LATEST);
	assert_int_equal(break_even__of(known(9, -1, 90), known(30, 20, 40)).high, 5);
	assert_int_equal(break_even__of(known(9, 5, 90), known(-3, -5, 0)).pays, PAYS_NEVER);
	assert_int_equal(break_even__of(known(9, 5, 90), known(1, -5, 9)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(known(0, 0, 0), known(0, 0, 0)).pays, PAYS_NO_DIFFERENCE);
	assert_int_equal(break_even__of(loose, known(30, 20, 40)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(unknown, known(30, 20, 40)).pays, PAYS_UNKNOWN);
	assert_int_equal(break_even__of(known(1, 1, 1), unknown).pays, PAYS_UNKNOWN);
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
		    "pays off from the 4th child on (2nd to 8th). Difference, traced: start +100 "
		    "(50..150) us, each child -30 (-40..-20) us");
	assert_even(break_even__of(known(21, 21, 21), known(1, 1, 1)), false,
		    "pays off from the 22nd child on. Difference: start +21, each child -1");
	assert_even(break_even__of(known(1, -2, 11), known(1, 1, 1)), false,
		    "pays off from the 12th child on at the latest, because no higher cost of the start "
		    "is shown. Difference: start +1 (-2..11), each child -1");
	assert_even(break_even__of(known(1, 1, 1), known(-0.04, -0.06, 0)), false,
		    "never pays off, because children save nothing. Difference: start +1, each child +0.04 (0.00..0.06)");
	assert_even(break_even__of(known(1, 1, 1), known(1, -2, 3)), false,
		    "no break-even, because no difference is shown for the children. Difference: start +1, each child "
		    "-1 (-3..2)");
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

static void assert_verdict(const enum bindnow_way *ways, size_t count, const char *part)
{
	struct comparison *comparison = of_files(ways, count);
	struct bindnow *bindnow = bindnow__new(comparison);
	char *verdict = bindnow_words__verdict(bindnow);

	assert_non_null(strstr(verdict, part));
	free(verdict);
	bindnow__free(bindnow);
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

static void assert_outcome(struct estimate ratio, struct break_even even, double children,
			   enum bindnow_outcome outcome)
{
	const struct bindnow_evidence evidence = {
		.may_matter = true,
		.ratio = ratio,
		.in_time = even,
		.children = children,
	};

	assert_int_equal(bindnow_verdict__of(&evidence).outcome, outcome);
}

static void the_whole_decides_and_its_parts_may_contradict(void **state)
{
	const struct estimate less = known(0.8, 0.7, 0.9), more = known(1.2, 1.1, 1.3);
	const struct estimate same = known(1, 0.9, 1.1), loose = { true, false, 0.5, 0.5, 0.5 };
	const struct break_even after = break_even__of(known(100, 50, 150), known(30, 20, 40));
	const struct break_even never = break_even__of(known(100, 50, 150), known(-5, -9, -1));
	const struct break_even unclear = break_even__of(known(100, 50, 150), known(1, -9, 9));

	assert_outcome(less, after, 100, OUTCOME_PAYS);
	assert_outcome(less, unclear, 100, OUTCOME_PAYS);
	assert_outcome(more, after, 5, OUTCOME_COSTS);
	assert_outcome(more, never, 5, OUTCOME_COSTS);
	/* The parts alone do not make the whole faster. */
	assert_outcome(same, after, 100, OUTCOME_NOT_SHOWN);
	assert_outcome(unknown, after, 100, OUTCOME_NOT_MEASURED);
	assert_outcome(loose, after, 100, OUTCOME_NOT_MEASURED);
	/* Nobody is believed where they disagree. */
	assert_outcome(more, after, 8, OUTCOME_UNCLEAR);
	assert_outcome(less, after, 1, OUTCOME_UNCLEAR);
	assert_outcome(less, never, 100, OUTCOME_UNCLEAR);
	assert_outcome(less, never, 0, OUTCOME_PAYS); /* it has no children */
}

static void children_are_held_against_the_break_even(void **state)
{
	struct bindnow_evidence evidence = {
		.may_matter = true,
		.in_time = break_even__of(known(100, 50, 150), known(30, 20, 40)), /* 2nd to 8th */
		.children = 1,
	};

	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_MORE);
	evidence.children = 2;
	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_NOTHING);
	evidence.children = 8;
	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_LESS);
	evidence.in_time = break_even__of(known(9, -1, 90), known(30, 20, 40)); /* 5th at most */
	evidence.children = 4;
	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_NOTHING);
	evidence.children = 5;
	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_LESS);
	evidence.children = NAN;
	assert_int_equal(bindnow_verdict__of(&evidence).children, SHOWN_UNKNOWN);
	evidence.faults = known(-3, -5, 0);
	assert_int_equal(bindnow_verdict__of(&evidence).faults, SHOWN_NOTHING);
	evidence.may_matter = false;
	assert_int_equal(bindnow_verdict__of(&evidence).outcome, OUTCOME_NOTHING_TO_BIND);
}

static void relocations_are_those_at_start(void **state)
{
	struct bindnow_file list[] = {
		{ .at_start = true, .way = WAY_LAZY },
		{ .at_start = true, .way = WAY_NOW },
		{ .at_start = false, .way = WAY_LAZY },
	};
	struct bindnow_files files = { .files = list, .count = 3 };
	const enum relocation_kind last = RELOC_KIND_COUNT - 1;

	for (int i = 0; i < 3; i++) {
		list[i].relocations[RELOC_RELATIVE] = 100;
		list[i].relocations[RELOC_JUMP_SLOT] = 7 + i;
	}
	assert_true(bindnow_files__relocations(&files, 0, last, false) == 215);
	assert_true(bindnow_files__relocations(&files, RELOC_JUMP_SLOT, RELOC_JUMP_SLOT, true) == 7);
	list[1].way = WAY_UNKNOWN;
	assert_true(isnan(bindnow_files__relocations(&files, 0, last, false)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_is_paid_by_children),
		cmocka_unit_test(intervals_bear_the_statement),
		cmocka_unit_test(more_children_than_there_ever_are_is_none),
		cmocka_unit_test(break_even_reads_well),
		cmocka_unit_test(files_tell_when_nothing_can_change),
		cmocka_unit_test(a_comparison_may_be_one_of_bindnow),
		cmocka_unit_test(the_whole_decides_and_its_parts_may_contradict),
		cmocka_unit_test(children_are_held_against_the_break_even),
		cmocka_unit_test(relocations_are_those_at_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

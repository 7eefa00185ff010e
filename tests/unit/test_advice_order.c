// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <string.h>

#include "base/text.h"
#include "made.h"
#include "report/advice/advice_order.h"
#include "report/advice/advice_tables.h"

#define NONE { 0 }
#define SOME { true, true, 5, 1, 9 }
#define MUCH { true, true, 50, 40, 60 }
#define UNCLEAR { true, true, 90, -5, 200 }
#define WORSE { true, true, -7, -9, -4 }

static const struct {
	const char *rule;
	struct estimate measured, predicted;
} given[] = {
	{ "S2", WORSE, NONE },	 { "S1", NONE, SOME }, { "S4", SOME, NONE },  { "S3", UNCLEAR, MUCH },
	{ "S9", NONE, MUCH }, { "S5", MUCH, NONE }, { "S14", NONE, NONE },
};

static struct run *new_run(void)
{
	struct run *run = made_run(WITH_START);

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) /* all trials saved faults: time decides */
		MADE_ADVICE(run->start, .rule = checked_strdup(given[i].rule), .group = NO_GROUP,
			    .measured_ns = given[i].measured, .predicted_ns = given[i].predicted,
			    .measured_faults = given[i].measured.known ? (struct estimate)SOME
								       : (struct estimate)NONE);
	return run;
}

/* What saves most, tried or not; of equals what was tried; then what has shown no saving. */
static void largest_saving_first(void **state)
{
	static const char *const wanted[] = { "S5", "S9", "S4", "S1", "S14", "S3", "S2" };
	struct run *run = new_run();
	struct advice_order order = advice_order__of_start(run);

	assert_int_equal(order.count, sizeof(wanted) / sizeof(wanted[0]));
	assert_int_equal(order.useful, 5);
	for (size_t i = 0; i < order.count; i++)
		assert_string_equal(order.list[i]->rule, wanted[i]);
	advice_order__free(&order);
	run__free(run);
}

/* Of fewer than 6 quiet runs there is no interval: a busy machine, and not the remedy, may have made the difference. */
static void without_an_interval_is_no_advice(void **state)
{
	static const double differences[] = { -38e3, 12.8e6 };

	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
		struct run *run = new_run();
		struct advice_order order;

		run->start->advice[5].measured_ns = estimate__of(differences[i]);
		order = advice_order__of_start(run);
		assert_int_equal(order.useful, 4);
		assert_string_equal(order.list[0]->rule, "S9");
		advice_order__free(&order);
		run__free(run);
	}
}

static void what_was_tried_and_is_slower_says_what_it_costs(void **state)
{
	struct run *run = new_run();
	struct advice_order order;
	const struct report_options options = { .quiet = true };
	struct table_output output = { .style = TABLE_TEXT };
	char *text = NULL;
	size_t size;

	run->start->advice[0].tried_with = checked_strdup("LD_BIND_NOW=1");
	run->start->advice[0].tried = checked_strdup("CPU time of 10 runs");
	run->start->advice[0].measured_ns = (struct estimate){ true, true, -164e3, -208e3, -122e3 };
	order = advice_order__of_start(run);
	output.stream = open_memstream(&text, &size);
	advice_rows__print(&order, &options, &output);
	fclose(output.stream);
	if (!strstr(text, " S2 (LD_BIND_NOW=1, slower: costs\n164 (122..208) us)."))
		fail_msg("%s", text);
	free(text);
	advice_order__free(&order);
	run__free(run);
}

/* Where the groups have different numbers of forks, the best per fork need not be the best. */
static void titles_say_the_order(void **state)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct advice_order order;

	MADE_GROUP(run, .children = 1);
	MADE_GROUP(run, .children = 6);
	MADE_ADVICE(run->anatomy, .group = 1, .predicted_ns = SOME);
	order = advice_order__of_forks(run);
	assert_non_null(strstr(advice_order__title(&order), "per fork, best first"));
	advice_order__free(&order);
	MADE_ADVICE(run->anatomy, .group = 0, .predicted_ns = MUCH);
	order = advice_order__of_forks(run);
	assert_non_null(strstr(advice_order__title(&order), "the best for all forks first"));
	advice_order__free(&order);
	run__free(run);
}

/* Without times the faults decide: what saves none, or makes more, is not advised. */
static void faults_decide_without_times(void **state)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct advice_order order;

	MADE_ADVICE(run->anatomy, .rule = checked_strdup("A1"), .predicted_ns = SOME);
	MADE_ADVICE(run->anatomy, .rule = checked_strdup("A2"), .predicted_ns = MUCH,
		    .measured_faults = estimate__of(-37));
	MADE_ADVICE(run->anatomy, .rule = checked_strdup("A3"), .measured_faults = estimate__of(19));
	MADE_ADVICE(run->anatomy, .rule = checked_strdup("A4"), .measured_faults = estimate__of(0));
	MADE_ADVICE(run->anatomy, .rule = checked_strdup("A5"), .measured_faults = UNCLEAR);
	order = advice_order__of_forks(run);
	assert_int_equal(order.useful, 2);
	assert_string_equal(order.list[0]->rule, "A1");
	assert_string_equal(order.list[1]->rule, "A3");
	advice_order__free(&order);
	run__free(run);
}

/* A little for each of many children is more than much for one. */
static void groups_count_with_their_children(void **state)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct advice_order order;

	MADE_GROUP(run, .children = 1);
	MADE_GROUP(run, .children = 100);
	MADE_ADVICE(run->anatomy, .group = 0, .measured_ns = MUCH);
	MADE_ADVICE(run->anatomy, .group = 1, .measured_ns = SOME);
	order = advice_order__of_forks(run);
	assert_int_equal(order.list[0]->group, 1);
	advice_order__free(&order);
	run__free(run);
}

/* Advice for a pool goes by the most that it may save. */
static void pools_go_by_memory(void **state)
{
	static const char *const wanted[] = { "W2", "W1", "W6" };
	const double mib = 1 << 20;
	struct advice advice[] = {
		{ .rule = "W1", .predicted_bytes = estimate__of(5 * mib) },
		{ .rule = "W2", .predicted_bytes = { .known = true, .bounded = true, .high = 6 * mib } },
		{ .rule = "W6", .predicted_bytes = { .known = true, .bounded = true, .high = 2 * mib } },
	};
	const struct workers workers = { .advice = advice, .advice_count = 3 };
	struct advice_order order = advice_order__of_pool(&workers);

	assert_int_equal(order.useful, 3);
	for (size_t i = 0; i < order.count; i++)
		assert_string_equal(order.list[i]->rule, wanted[i]);
	advice_order__free(&order);
}

/* Rows as the frame of advice takes them: each can be tried or says why not, and no two have a name. */
static void every_rule_is_whole(void **state)
{
	static const struct {
		const char *id, *title, *remedy, *way, *untried;
	} rules[] = {
#define RULE(id, name, title, remedy, way, untried, not_for) { id, title, remedy, way, untried },
#include "model/advice/rules.def"
#undef RULE
	};
	const size_t count = sizeof(rules) / sizeof(rules[0]);

	for (size_t i = 0; i < count; i++) {
		assert_true(*rules[i].title && *rules[i].remedy);
		assert_true(!rules[i].way != !rules[i].untried);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(rules[i].id, rules[k].id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_tried_and_is_slower_says_what_it_costs),
		cmocka_unit_test(largest_saving_first),
		cmocka_unit_test(without_an_interval_is_no_advice),
		cmocka_unit_test(titles_say_the_order),
		cmocka_unit_test(faults_decide_without_times),
		cmocka_unit_test(groups_count_with_their_children),
		cmocka_unit_test(pools_go_by_memory),
		cmocka_unit_test(every_rule_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which groups of children are shown, and that nothing gets lost in the rest. */
#include "unit.h"

#include "base/memory.h"
#include "made.h"
#include "report/run/group_picks.h"

static void make_group(struct run *run, size_t index, uint64_t children, uint64_t calls,
		       uint64_t faults)
{
	run->groups[index] = (struct group){ .children = children - 1, .unfinished = 1,
					     .inherited.total = faults - 1, .execd.total = 1 };
	made_calls(&run->groups[index].table, "read", calls);
}

/* Children, calls and faults of each are 1, 10 and 100. */
static struct run *run_of(size_t count)
{
	struct run *run = made_run(0);

	for (size_t i = 0; i < count; i++) {
		MADE_GROUP(run, .children = 1);
		make_group(run, i, 1, 10, 100);
	}
	return run;
}

static void change(struct run *run, size_t index, uint64_t children, uint64_t calls,
		   uint64_t faults)
{
	struct syscall_table *table = &run->groups[index].table;

	free(table->rows[0].name);
	free(table->rows);
	*table = (struct syscall_table){ NULL, 0 };
	make_group(run, index, children, calls, faults);
}

static void the_heaviest_come_first(void **state)
{
	struct run *run = run_of(60);
	struct group_picks picks;
	char *rest;

	change(run, 7, 1, 10, 3000); /* a third of the faults */
	change(run, 30, 20, 10, 100); /* a fifth of the children */
	change(run, 59, 1, 1000, 100); /* more than half of the calls */
	picks = group_picks__by_weight(run, false, 10);
	assert_int_equal(picks.count, 60);
	assert_int_equal(picks.shown, 10);
	assert_int_equal(picks.with_calls, 3);
	assert_int_equal(picks.order[0], 59);
	assert_int_equal(picks.order[1], 7);
	assert_int_equal(picks.order[2], 30);
	for (size_t i = 3; i < 10; i++) /* the others as they were: 0 to 6 */
		assert_int_equal(picks.order[i], i - 3);
	rest = group_picks__rest(run, &picks);
	assert_string_equal(rest, "(50 more groups: 50 of 79 children, 500 of their 1590 system "
				  "calls, 5000 of their 8900 faults: --show=groups)");
	free(rest);
	group_picks__free(&picks);
	run__free(run);
}

static void each_once(void **state)
{
	struct run *run = run_of(25);
	struct group_picks picks = group_picks__by_weight(run, false, 10);
	bool seen[25] = { false };

	for (size_t i = 0; i < picks.count; i++) {
		assert_false(seen[picks.order[i]]);
		seen[picks.order[i]] = true;
	}
	assert_int_equal(picks.with_calls, 1); /* no group stands out */
	group_picks__free(&picks);
	run__free(run);
}

static void few_are_shown_at_all_times(void **state)
{
	for (size_t count = 0; count <= 10; count++) {
		struct run *run = run_of(count);
		struct group_picks picks = group_picks__by_weight(run, false, 10);

		assert_int_equal(picks.shown, count);
		assert_int_equal(picks.with_calls, count < 3 ? count : 3);
		assert_null(group_picks__rest(run, &picks));
		group_picks__free(&picks);
		run__free(run);
	}
}

static void all_if_asked_for(void **state)
{
	struct run *run = run_of(60);
	struct group_picks picks;

	change(run, 59, 1, 1000, 100);
	picks = group_picks__by_weight(run, true, 10);
	assert_int_equal(picks.shown, 60);
	assert_int_equal(picks.with_calls, 60);
	assert_int_equal(picks.order[0], 59);
	assert_null(group_picks__rest(run, &picks));
	group_picks__free(&picks);
	picks = group_picks__all(run);
	assert_int_equal(picks.shown, 60);
	assert_int_equal(picks.with_calls, 60);
	assert_int_equal(picks.order[0], 0); /* as in the run */
	group_picks__free(&picks);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heaviest_come_first),
		cmocka_unit_test(each_once),
		cmocka_unit_test(few_are_shown_at_all_times),
		cmocka_unit_test(all_if_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

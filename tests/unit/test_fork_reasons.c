// SPDX-License-Identifier: GPL-2.0-or-later
/* Why forks take long (R6, R21): page tables, whose copies the children's exec frees, or their end. */
#include "advice_run.h"

#include "advice/run/run_advice.h"

enum { MS = 1000 * 1000, FORKS_NS = 40 * MS, STARTS_NS = 30 * MS, WALL = 200 * MS };
enum { PAGES = 20000 }; /* by 2 us, of which the call takes one: 20 ms for each child to free them */

/* Ten forks of a program with so many pages, and so much of page tables; its children execute another, or do not. */
static struct run *forks_of(uint64_t tables, bool execute)
{
	struct run *run = new_run();
	struct bill *bill = run->bill = checked_calloc(1, sizeof(*bill));
	struct layout_vma *vma = add_vma(run, NO_OBJECT, PLACE_ANON, NULL);

	vma->end = (uint64_t)PAGES * GOT_PIECE;
	vma->present = vma->own = PAGES;
	vma->huge = 0;
	run->anatomy->costs[COST_FORK_PAGE] = estimate__of(2000);
	run->anatomy->costs[COST_FORK_UNCACHED].known = false;
	run->anatomy->forks[0].page_table_bytes = (struct spread_of){ tables, tables, tables };
	run->groups[0].exec_target = execute ? 1 : NO_EXE;
	MADE(bill->rows, bill->count, .kind = BILL_FORK, .exe = 0, .executed = true, .count = RECORDED, .call_nr = -1,
	     .wall_ns = FORKS_NS, .cpu_ns = FORKS_NS);
	MADE(bill->rows, bill->count, .kind = BILL_START, .exe = 1, .executed = true, .count = RECORDED, .call_nr = -1,
	     .wall_ns = STARTS_NS, .cpu_ns = STARTS_NS);
	MADE(bill->rows, bill->count, .kind = BILL_CODE, .exe = 0, .executed = true, .call_nr = -1,
	     .wall_ns = WALL - FORKS_NS - STARTS_NS, .cpu_ns = WALL - FORKS_NS - STARTS_NS);
	bill->wall_ns = bill->cpu_ns = WALL;
	run_advice__find(run, NULL, NULL);
	return run;
}

static void test_page_tables(void **state)
{
	struct run *run = forks_of(400 << 10, false);

	(void)state;
	assert_says(ADVICE_OF(run, "R6"), "prog: fork copies 400 KiB of page tables, and the child's end frees them.");
	assert_null(ADVICE_OF(run, "R21"));
	/* All that forks take, but for those of the smallest process: 1 us each. */
	assert_float_equal(ADVICE_OF(run, "R6")->predicted_ns.value, FORKS_NS - RECORDED * 1000, 1);
	run__free(run);
	run = forks_of((400 << 10) - 1, false);
	assert_null(ADVICE_OF(run, "R6"));
	run__free(run);
}

/* What their exec frees is in the starts of what they execute, and saved with the forks. */
static void test_exec_frees(void **state)
{
	struct run *run = forks_of(400 << 10, true);
	const struct advice *advice = ADVICE_OF(run, "R21");

	(void)state;
	assert_says(advice, "prog: fork copies 400 KiB of page tables, and each exec frees them.");
	assert_null(ADVICE_OF(run, "R6"));
	assert_float_equal(advice->predicted_ns.value, FORKS_NS - RECORDED * 1000 + STARTS_NS, 1);
	assert_float_equal(advice->predicted_ns.high, FORKS_NS - RECORDED * 1000 + STARTS_NS, 1);
	assert_int_equal(advice->group, 0);
	run__free(run);
}

/* posix_spawn() copies descriptors, too: that is no cure then. */
static void test_descriptors_of_children_that_execute(void **state)
{
	struct run *run = forks_of(40 << 10, true);

	(void)state;
	run->advice_count = 0;
	run->anatomy->layouts[0].vmas[0].present = run->anatomy->layouts[0].vmas[0].own = 1;
	run->anatomy->forks[0].open_files = 1000;
	run_advice__find(run, NULL, NULL);
	assert_says(ADVICE_OF(run, "R6"), "fork copies 1000 open descriptors");
	assert_null(ADVICE_OF(run, "R21"));
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_tables),
		cmocka_unit_test(test_exec_frees),
		cmocka_unit_test(test_descriptors_of_children_that_execute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

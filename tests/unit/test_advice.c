// SPDX-License-Identifier: GPL-2.0-or-later
/* Advice as a whole: about a saved run, in order, only where it is worth it, and the verdict. */
#include <math.h>

#include "advice_run.h"

#include "analysis/same.h"
#include "run_text.h"

static struct run *load_golden(void)
{
	struct run *run = read_golden("anatomy");

	for (size_t i = 0; i < run->anatomy->advice_count; i++) {
		struct advice *advice = &run->anatomy->advice[i];

		free(advice->rule);
		free(advice->title);
		free(advice->evidence);
		free(advice->action);
		free(advice->tried_with);
		free(advice->tried);
		free(advice->not_for);
	}
	free(run->anatomy->advice);
	run->anatomy->advice = NULL;
	run->anatomy->advice_count = 0;
	free(run->anatomy->verdict);
	run->anatomy->verdict = NULL;
	return run;
}

/* The ten faults of binding _exit, which anatomy.json lists one by one. */
static void test_saved_run(void **state)
{
	struct run *run = load_golden();
	const struct advice *advice;

	advise(run);
	advice = ADVICE_OF(run->anatomy, "A1");
	assert_says(advice, "bound _exit again in 200 of 200");
	assert_int_equal(advice->group, 0);
	assert_true(advice->predicted_faults.value == 10);
	/* Two copies, a page, a table and seven windows by their costs; and some code. */
	assert_true(advice->predicted_ns.value > 25000 && advice->predicted_ns.value < 40000);
	run__free(run);
}

static void test_order(void **state)
{
	struct run *run = load_golden();
	double last = INFINITY;

	advise(run);
	assert_true(run->anatomy->advice_count >= 2);
	for (size_t i = 0; i < run->anatomy->advice_count; i++) {
		const struct advice *advice = &run->anatomy->advice[i];
		double saving = advice->predicted_ns.known
					? advice->predicted_ns.value *
						  run->groups[advice->group].children
					: -1;

		assert_true(saving <= last);
		last = saving;
	}
	run__free(run);
}

/* A rule that would save less than a fiftieth of the 100 us of a fork stays silent. */
static void test_not_worth_it(void **state)
{
	struct run *run = new_run();

	add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	run->anatomy->forks[0].part_ns[PART_RUN] = RECORDED * 3000; /* ends with that */
	advise(run);
	assert_int_equal(run->anatomy->advice_count, 0);
	run__free(run);
}

static void test_unknown_costs(void **state)
{
	struct run *run = new_run();

	memset(run->anatomy->costs, 0, sizeof(run->anatomy->costs));
	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	advise(run);
	assert_int_equal(run->anatomy->advice_count, 1);
	assert_true(run->anatomy->advice[0].predicted_faults.value == 5);
	assert_false(run->anatomy->advice[0].predicted_ns.known);
	run__free(run);
}

/* Nor is anything said of forks that take less than a hundredth of the wall time. */
static void test_forks_that_do_not_matter(void **state)
{
	struct run *run = new_run();

	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	run->wall_ns = 1000000000;
	advise(run);
	assert_int_equal(run->anatomy->advice_count, 0);
	run->attached_count = 1; /* what is attached to waits most of the time */
	advise(run);
	assert_int_equal(run->anatomy->advice_count, 1);
	run->attached_count = 0;
	run__free(run);
}

/* Costs of this machine that come to more than a fork costs save no more than that; some may be the child's own work. */
static void test_no_saving_above_its_cost(void **state)
{
	struct run *run = new_run();
	const struct advice *advice;

	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	run->groups[0].exec_target = 1;
	run->anatomy->costs[COST_FORK] = (struct estimate){ true, true, 200000, 190000, 210000 };
	advise(run);
	advice = ADVICE_OF(run->anatomy, "A4");
	assert_says(advice, "more than a fork costs here: no more than that is predicted");
	assert_true(advice->predicted_ns.value == 65000 && advice->predicted_ns.high == 65000);
	assert_true(advice->predicted_ns.low == 0);
	run__free(run);
	run = new_run();
	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	run->anatomy->costs[COST_COPY] = (struct estimate){ true, true, 13500, 13000, 30000 };
	advise(run);
	advice = ADVICE_OF(run->anatomy, "A3");
	assert_true(advice->predicted_ns.value > 65000);
	assert_true(advice->predicted_ns.high == 65000 + 35000); /* and the part run, without its faults */
	run__free(run);
}

/* 0.65 ms, of which 0.05 are faults, are a hundredth of 65 ms. */
static void test_share_of_the_wall(void **state)
{
	static const struct {
		uint64_t wall_ns;
		double share; /* 0: silent */
	} cases[] = { { 65000000, 0.01 }, { 65000001, 0 }, { 300000, 1 /* side by side: twice that */ } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = new_run();

		for (int k = 0; k < 5; k++)
			add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
		run->wall_ns = cases[i].wall_ns;
		advise(run);
		assert_int_equal(run->anatomy->advice_count, cases[i].share > 0);
		if (cases[i].share > 0)
			assert_true(fabs(run->anatomy->advice[0].share.value - cases[i].share) < 1e-9);
		run__free(run);
	}
}

static void add_path(struct run *run)
{
	struct critical_path *path = calloc(1, sizeof(*path));

	run->critical_path = path;
	path->wall_ns = run->wall_ns;
	path->programs = calloc(4, sizeof(*path->programs));
}

static void add_program(struct run *run, uint32_t exe, bool executed, uint64_t cpu_ns, uint64_t ready_ns,
			uint64_t asleep_ns)
{
	struct critical_path *path = run->critical_path;

	path->programs[path->program_count++] = (struct path_program){
		.exe = exe, .executed = executed, .steps = 1,
		.ns = { [PATH_PART_CPU] = cpu_ns, [PATH_PART_READY] = ready_ns, [PATH_PART_DEVICE] = asleep_ns },
	};
}

static struct run *new_run_with_copies(void)
{
	struct run *run = new_run();

	for (int i = 0; i < 5; i++)
		add_row(run, ACTOR_PROGRAM, FAULT_COW_COPY)->code.symbol = strdup("_IO_cleanup");
	return run;
}

/* What is predicted for one fork where the path is not known. */
static double predicted_without_path(void)
{
	struct run *run = new_run_with_copies();
	double predicted;

	advise(run);
	predicted = run->anatomy->advice[0].predicted_ns.value;
	run__free(run);
	return predicted;
}

/* No more is saved than parents and children of the group work on the critical path, by ten forks. */
static void test_critical_path(void **state)
{
	const double whole = predicted_without_path();
	const struct {
		uint64_t parent_ns, child_ns, asleep_ns, other_ns, ready_ns;
		double predicted;
	} cases[] = {
		{ 5 * whole, 5 * whole, 0, 0, 0, whole },
		{ 20000, 0, 900000, 0, 0, 2000 }, /* sleeping is not saved */
		{ 10000, 20000, 0, 0, 0, 3000 },
		{ 0, 0, 0, 900000, 0, 0 }, /* other children do that */
		{ 0, 0, 0, 900000, 20000, 2000 }, /* but they wait for a CPU, which others use */
	};

	assert_true(whole > 3000);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run *run = new_run_with_copies();
		const struct advice *advice;

		MADE_GROUP(run, .exec_target = 1, .birth = BIRTH_FORK, .children = 1);
		add_path(run);
		add_program(run, 0, true, cases[i].parent_ns, 0, cases[i].asleep_ns);
		add_program(run, 0, false, cases[i].child_ns, 0, 0);
		add_program(run, 1, true, cases[i].other_ns, cases[i].ready_ns, 0);
		advise(run);
		assert_int_equal(run->anatomy->advice_count, 1);
		advice = &run->anatomy->advice[0];
		assert_true(fabs(advice->predicted_ns.value - cases[i].predicted) < 1);
		assert_true(advice->predicted_ns.low <= advice->predicted_ns.value);
		assert_true(i == 0 || advice->predicted_ns.high == advice->predicted_ns.value);
		assert_int_equal(!!strstr(advice->evidence, "does not wait"), i > 0);
		run__free(run);
	}
}

/* A program that no child executes first may be what any child executes later: it counts. */
static void test_later_program_on_path(void **state)
{
	struct run *run = new_run_with_copies();

	add_path(run);
	add_program(run, 1, true, 900000, 0, 0);
	advise(run);
	assert_true(run->anatomy->advice[0].predicted_ns.value == predicted_without_path());
	run__free(run);
}

static const char *judge(struct run *run)
{
	struct fork_breakdowns breakdowns;

	free(run->anatomy->verdict);
	run->anatomy->verdict = NULL;
	breakdowns = fork_breakdowns__of(run);
	advice__judge(run, &breakdowns);
	fork_breakdowns__free(&breakdowns);
	return run->anatomy->verdict;
}

/* The bill's clock is that of runs that are not traced: 800 of 1,000 us are 320 of 400, of ten forks. */
static void test_verdict_not_traced(void **state)
{
	struct run *run = new_run();
	const uint32_t parent = run->groups[0].parent_exe;
	struct bill_row rows[] = {
		{ BILL_FORK, parent, true, .count = 10, .wall_ns = 800000 },
		{ BILL_FORK, parent + 1, true, .count = 90, .wall_ns = 100000 },
		{ BILL_CODE, parent, true, .count = 10, .wall_ns = 100000 },
	};
	struct bill bill = { rows, 3, .wall_ns = 1000000, .untraced_wall_ns = 400000 };

	run->bill = &bill;
	assert_string_equal(judge(run), "Each of 10 forks of prog takes 32 us (not traced). As traced, with the page faults "
					"that follow, it costs 60 us of overhead; together 600 us, 30.0 % of the run time "
					"(2 ms).");
	rows[0].kind = BILL_CODE; /* its forks are not in it */
	assert_non_null(strstr(judge(run), "Each of 10 forks of prog costs 60 us of overhead; together 600 us"));
	bill.untraced_wall_ns = 0;
	rows[0].kind = BILL_FORK;
	assert_non_null(strstr(judge(run), "Each of 10 forks of prog costs 60 us of overhead; together 600 us"));
	run->bill = NULL;
	run__free(run);
}

static void test_verdict(void **state)
{
	struct run *run = new_run();

	/* 40 us of copying and 20 of teardown, ten times, of 2 ms. */
	assert_string_equal(judge(run), "Each of 10 forks of prog costs 60 us of overhead; together 600 us, 30.0 % of "
					"the run time (2 ms).");
	run->wall_ns = 1000000000;
	assert_string_equal(judge(run), "Each of 10 forks of prog costs 60 us of overhead; together 600 us, 0.1 % of "
					"the run time (1 s). Forks are a small part of it.");
	run->wall_ns = 10000000; /* from a tenth on without decimals */
	assert_non_null(strstr(judge(run), "600 us, 6.0 % of the run time (10 ms)."));
	run->wall_ns = 500000; /* processes ran side by side */
	assert_non_null(strstr(judge(run), "together 600 us, more than the run time (500 us). Processes ran side by side."));
	run->wall_ns = 12000000; /* a twentieth is much */
	assert_null(strstr(judge(run), "small part"));
	run->wall_ns = 12000001;
	assert_non_null(strstr(judge(run), "small part"));
	run->wall_ns = 1000000000;
	run->anatomy->advice = calloc(1, sizeof(*run->anatomy->advice));
	run->anatomy->advice_count = 1;
	assert_non_null(strstr(judge(run), "(1 s). Forks are a small part of it: the advice can save no "
					   "more than that."));
	run->anatomy->advice[0].predicted_ns = (struct estimate){ true, true, 50000, 0, 61000 };
	assert_null(strstr(judge(run), "no more than that")); /* it shortens the child's own work */
	run->totals[LIFE_FORKS] = 12; /* others cost less */
	assert_non_null(strstr(judge(run), "Each of 10 forks of prog costs 60 us of overhead; all 12 forks together"));
	run->totals[LIFE_FORKS] = 10;
	run->anatomy->fork_count = 0;
	assert_string_equal(judge(run), "10 forks; how long they took could not be measured.");
	run->totals[LIFE_FORKS] = 0;
	assert_string_equal(judge(run), "This command never forks.");
	run->anatomy->fork_count = 1;
	run__free(run);
}

/* A parent that waits late does not make its forks expensive. */
static void test_late_wait(void **state)
{
	struct run *run = new_run();
	struct fork_cost *cost = &run->anatomy->forks[0];
	struct fork_breakdown breakdown;

	cost->part_ns[PART_REAP] += RECORDED * 900000;
	cost->typical_ns += RECORDED * 900000;
	cost->whole = (struct spread_ns){ RECORDED, RECORDED * 1000000, 1000000, 1000000, 1000000,
					  1000000 };
	assert_true(fork_breakdown__make(run, 0, &breakdown));
	/* copying, and as much again */
	assert_true(breakdown.has_overhead && breakdown.overhead == 80000);
	assert_true(breakdown.waiting == 880000);
	assert_true(breakdown.whole == 1000000); /* the whole is what the clock says */
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved_run),     cmocka_unit_test(test_order),
		cmocka_unit_test(test_not_worth_it),  cmocka_unit_test(test_unknown_costs),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_verdict_not_traced),
		cmocka_unit_test(test_forks_that_do_not_matter),
		cmocka_unit_test(test_share_of_the_wall),
		cmocka_unit_test(test_no_saving_above_its_cost),
		cmocka_unit_test(test_critical_path), cmocka_unit_test(test_later_program_on_path),
		      cmocka_unit_test(test_late_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine with tasks that measure nothing, the line of a loop program, and sweeps. */
#include "unit.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/cpu_choice.h"
#include "measure/engine.h"
#include "measure/loop/loop_task.h"
#include "measure/sizes.h"

/* Tells a fixed time per operation, and notes in which order tasks are asked. */
struct fake {
	struct bench_task task;
	char letter;
	double ns_per_op;
	int fails_at, interrupts_at, others_at; /* which call; 0: never */
	double helper_ns;
	int calls;
	int kept[3]; /* by round: the call that stands for it */
	uint64_t last_count;
};

static char order[256];

static void be_busy(double seconds)
{
	double end = clock__now_s() + seconds;

	while (clock__now_s() < end)
		;
}

/* Another process has our CPU for a while; it is reaped when that is over. */
static void leave_it_to_others(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0) {
		be_busy(0.15);
		_exit(0);
	}
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
}

static enum bench_outcome measure(struct bench_task *task, uint64_t count,
				  struct interrupt *interrupt, struct bench_sample *sample,
				  char **reason)
{
	struct fake *fake = (struct fake *)task;

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	order[strlen(order)] = fake->letter;
	fake->last_count = count;
	if (++fake->calls == fake->fails_at) {
		*reason = strdup("it broke");
		return TASK_FAILED;
	}
	if (fake->calls == fake->interrupts_at)
		raise(SIGTERM); /* blocked: it waits until the engine looks */
	if (fake->calls == fake->others_at)
		leave_it_to_others();
	sample->operations = count;
	sample->elapsed_ns = fake->ns_per_op * count;
	sample->helper_ns = fake->helper_ns;
	return TASK_DONE;
}

static void keep(struct bench_task *task, size_t round)
{
	struct fake *fake = (struct fake *)task;

	if (round < 3)
		fake->kept[round] = fake->calls;
}

static const struct bench_task_ops ops = { .measure = measure, .keep = keep };

static struct bench_plan *plan_of(struct fake fakes[3])
{
	struct bench *bench = bench__new(BENCH_FORK);
	struct bench_plan *plan;

	memset(order, 0, sizeof(order));
	for (int i = 0; i < 3; i++)
		bench__add_row(bench, &"A\0B\0C"[2 * i], NULL);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (int i = 0; i < 3; i++) {
		fakes[i].task.ops = &ops;
		fakes[i].letter = 'A' + i;
		bench_plan__set_task(plan, i, 0, &fakes[i].task);
	}
	return plan;
}

static const struct bench_request three_rounds = {
	.rounds = 3, .min_time_ns = 1000000, .cpu = CPU_ANY, .seed = 1,
};

/* Three rounds: each cell once in each, not always in the same order. */
static void assert_rounds_have_all(const char *rounds)
{
	for (int i = 0; i < 9; i += 3) {
		for (char letter = 'A'; letter <= 'C'; letter++)
			assert_non_null(memchr(rounds + i, letter, 3));
	}
	assert_string_not_equal(rounds, "ABCABCABC");
}

/* What others disturbed is measured again at once. */
static void test_disturbed_is_repeated(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .others_at = 3 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;
	const double *others;
	struct bench *bench;

	request.cpu = cpu_choice__default();
	assert_int_equal(bench_engine__run(plan, &request), 0);
	bench = bench_plan__take(plan);
	assert_int_equal(strlen(order), 3 + 9 + 1); /* warm-up, rounds, and once more */
	assert_non_null(strstr(order + 3, "BB"));
	assert_int_equal(bench->rounds, 3);
	others = bench->cells[1].values[BENCH_METRIC_OTHERS];
	assert_true(!others || isnan(others[1])); /* of the second try, which took no time */
	for (int round = 0; round < 3; round++) {
		assert_int_equal(fakes[0].kept[round], 2 + round); /* behind the warm-up */
		assert_int_equal(fakes[1].kept[round], 2 + round + (round >= 1));
	}
	bench__free(bench);
}

/* A thread of the kernel that works for a task is nobody else. */
static void test_helpers_do_not_disturb(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .others_at = 3, .helper_ns = 1e9 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;

	request.cpu = cpu_choice__default();
	assert_int_equal(bench_engine__run(plan, &request), 0);
	assert_int_equal(strlen(order), 3 + 9);
	assert_int_equal(fakes[1].kept[1], 3);
	bench_plan__free(plan);
}

/* Where an operation takes long, the first run counts. */
static void test_no_warm_ups(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;

	request.no_warm_ups = true;
	request.count = 2;
	assert_int_equal(bench_engine__run(plan, &request), 0);
	assert_int_equal(strlen(order), 9);
	assert_rounds_have_all(order);
	assert_int_equal(fakes[2].last_count, 2);
	assert_int_equal(plan->bench->cells[2].operations, 2);
	bench_plan__free(plan);
}

static void test_rounds_interleave(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e4 }, { .ns_per_op = 1e6 }, { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench *bench;

	assert_int_equal(bench_engine__run(plan, &three_rounds), 0);
	bench = bench_plan__take(plan);
	assert_rounds_have_all(order + strlen(order) - 9);
	assert_int_equal(bench->rounds, 3);
	assert_int_equal(fakes[0].last_count, 105); /* 1 ms and a little, at 10 us each */
	assert_int_equal(fakes[2].last_count, 1);
	assert_true(bench->cells[1].values[BENCH_METRIC_TIME][2] == 1e6);
	assert_null(bench->cells[1].values[BENCH_METRIC_CPU]);
	assert_int_equal(bench->cells[0].operations, 105);
	bench__free(bench);
}

/* Whatever has a period meets every cell. */
static void test_orders_differ(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;
	int firsts[3] = { 0 }, repeated = 0;

	request.rounds = 24;
	assert_int_equal(bench_engine__run(plan, &request), 0);
	for (int round = 0; round < 24; round++) {
		const char *now = order + 3 + 3 * round;

		firsts[*now - 'A']++;
		repeated += round && !memcmp(now, now - 3, 3);
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(firsts[i], 3, 15);
	assert_int_equal(plan->seed, 1);
	assert_in_range(repeated, 0, 12);
	bench_plan__free(plan);
}

/* Of two cells each is first as often as the other, whatever the seed. */
static void test_orders_are_balanced(void **state)
{
	for (uint32_t seed = 1; seed < 20; seed++) {
		struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .fails_at = 1 }, { .ns_per_op = 1e9 } };
		struct bench_plan *plan = plan_of(fakes);
		struct bench_request request = three_rounds;
		int first = 0;

		request.rounds = 10;
		request.seed = seed;
		assert_int_equal(bench_engine__run(plan, &request), 0);
		for (int round = 0; round < 10; round++)
			first += order[3 + 2 * round] == 'A';
		assert_int_equal(first, 5);
		bench_plan__free(plan);
	}
}

/* Without a seed two benches differ. */
static void test_orders_are_by_chance(void **state)
{
	uint32_t seeds[2];

	for (int i = 0; i < 2; i++) {
		struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 }, { .ns_per_op = 1e9 } };
		struct bench_plan *plan = plan_of(fakes);
		struct bench_request request = three_rounds;

		request.seed = 0;
		assert_int_equal(bench_engine__run(plan, &request), 0);
		seeds[i] = plan->seed;
		bench_plan__free(plan);
	}
	assert_int_not_equal(seeds[0], seeds[1]);
}

/* What fails in one cell may be the end of all. */
static void test_first_failure_ends(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .fails_at = 1 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;

	request.first_failure_ends = true;
	assert_int_equal(bench_engine__run(plan, &request), 0);
	assert_string_equal(order, "AB");
	assert_false(plan->bench->interrupted);
	assert_int_equal(plan->bench->cells[1].state, BENCH_FAILED);
	bench_plan__free(plan);
}

/* Neither a warm-up nor a round. */
static void test_nothing_timed(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1 }, { .ns_per_op = 1 }, { .ns_per_op = 1 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;

	request.rounds = 0;
	assert_int_equal(bench_engine__run(plan, &request), 0);
	assert_string_equal(order, "");
	bench_plan__free(plan);
}

static void test_a_failure_is_one_cells(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .fails_at = 3 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench *bench;

	assert_int_equal(bench_engine__run(plan, &three_rounds), 0);
	bench = bench_plan__take(plan);
	assert_int_equal(bench->cells[0].state, BENCH_MEASURED);
	assert_int_equal(bench->cells[1].state, BENCH_FAILED);
	assert_string_equal(bench->cells[1].reason, "it broke");
	assert_null(bench->cells[1].values[BENCH_METRIC_TIME]);
	assert_int_equal(bench->rounds, 3);
	assert_false(bench->interrupted);
	bench__free(bench);
}

static void test_interrupted_keeps_whole_rounds(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .interrupts_at = 4 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench *bench;

	assert_int_equal(bench_engine__run(plan, &three_rounds), SIGTERM);
	bench = bench_plan__take(plan);
	assert_int_equal(bench->rounds, 2); /* the warm-up was the first call */
	assert_true(bench->interrupted);
	assert_int_equal(bench->cells[2].state, BENCH_MEASURED);
	bench__free(bench);
}

static void test_interrupted_in_the_warm_up(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 1e9 }, { .ns_per_op = 1e9, .interrupts_at = 1 },
				 { .ns_per_op = 1e9 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench *bench;

	assert_int_equal(bench_engine__run(plan, &three_rounds), SIGTERM);
	bench = bench_plan__take(plan);
	assert_int_equal(bench->rounds, 0);
	assert_int_equal(bench->cells[0].state, BENCH_PENDING);
	assert_string_equal(order, "AB");
	bench__free(bench);
}

static void test_count(void **state)
{
	struct fake fakes[3] = { { .ns_per_op = 10 }, { .ns_per_op = 1e9 },
				 { .ns_per_op = 1e4, .task.count_max = 5 } };
	struct bench_plan *plan = plan_of(fakes);
	struct bench_request request = three_rounds;

	request.count = 7;
	assert_int_equal(bench_engine__run(plan, &request), 0);
	assert_int_equal(fakes[0].last_count, 7);
	assert_int_equal(fakes[1].last_count, 7);
	assert_int_equal(fakes[2].last_count, 5);
	bench_plan__free(plan);
}

static void reads(const char *output, double operations, double elapsed, double cpu)
{
	struct loop_line line;
	char *reason = NULL;

	if (loop_line__parse(output, &line, &reason))
		fail_msg("%s", reason);
	assert_true(line.operations == operations && line.elapsed_ns == elapsed);
	assert_true(isnan(cpu) ? isnan(line.values[BENCH_METRIC_CPU])
			       : line.values[BENCH_METRIC_CPU] == cpu);
}

static void refuses(const char *output, const char *part)
{
	struct loop_line line;
	char *reason = NULL;

	assert_int_equal(loop_line__parse(output, &line, &reason), -1);
	if (!strstr(reason, part))
		fail_msg("\"%s\" does not say \"%s\"", reason, part);
	free(reason);
}

static void test_loop_line(void **state)
{
	reads("forktax-loop operations=5 elapsed_ns=100\n", 5, 100, NAN);
	reads("hello\nforktax-loop elapsed_ns=100.5 operations=4 own_cpu_ns=8 "
	      "children_cpu_ns=4\r\nbye", 4, 100.5, 3);
	refuses("", "no line");
	refuses("forktax-loops operations=1 elapsed_ns=1\n", "no line");
	refuses("forktax-loop operations=1 elapsed_ns=1\nforktax-loop operations=1\n",
		"more than one");
	refuses("forktax-loop operations=0 elapsed_ns=1\n", "operations=N");
	refuses("forktax-loop operations=1.5 elapsed_ns=1\n", "operations=N");
	refuses("forktax-loop elapsed_ns=1\n", "operations=N");
	refuses("forktax-loop operations=1 elapsed_ns=0\n", "elapsed_ns=N");
	refuses("forktax-loop operations=1 elapsed_ns=-3\n", "no number");
	refuses("forktax-loop operations=1 elapsed_ns=nan\n", "no number");
	refuses("forktax-loop operations=1 elapsed_ns=1e3\n", "no number");
	refuses("forktax-loop operations=1 elapsed_ns=1 speed=9\n", "unknown key: speed");
	refuses("forktax-loop operations=1 operations=1 elapsed_ns=1\n", "twice");
	refuses("forktax-loop operations=1 elapsed_ns=1 fast\n", "not key=number");
}

static void number_is(const char *text, int64_t expected)
{
	uint64_t number = 0;
	char *reason = NULL;
	int status = sizes__one(text, 1ull << 40, &number, &reason);

	if (status ? expected >= 0 : (int64_t)number != expected)
		fail_msg("\"%s\" gives %d, %lu", text, status, (unsigned long)number);
	free(reason);
}

static void test_numbers(void **state)
{
	number_is("0", 0);
	number_is("17", 17);
	number_is("4K", 4096);
	number_is("1.5m", 1536 * 1024);
	number_is("1G", 1 << 30);
	number_is("1T", 1ll << 40);
	number_is("2T", -1);
	number_is("4X", -1);
	number_is("4KB", -1);
	number_is("", -1);
	number_is("-1", -1);
	number_is(" 1", -1);
	number_is("1.2.3", -1);
}

static void sizes_are(const char *text, const char *expected)
{
	struct sizes sizes;
	char *reason = NULL, shown[512] = "";
	int status = sizes__parse(text, 1ull << 40, &sizes, &reason);

	for (size_t i = 0; i < sizes.count && !status; i++) {
		char *one = sizes__text(sizes.bytes[i]);

		strcat(strcat(shown, i ? " " : ""), one);
		free(one);
	}
	free(reason);
	assert_string_equal(status ? "refused" : shown, expected);
}

static void test_sizes(void **state)
{
	sizes_are("5,7,9", "5 7 9");
	sizes_are("4K,1.5M,1G", "4K 1536K 1G");
	sizes_are("8", "8");
	sizes_are("5,5", "refused");
	sizes_are("9,8", "refused");
	sizes_are("", "refused");
	sizes_are("5,", "refused");
	sizes_are("2T", "refused");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds_interleave),
		cmocka_unit_test(test_disturbed_is_repeated),
		cmocka_unit_test(test_helpers_do_not_disturb),
		cmocka_unit_test(test_no_warm_ups),
		cmocka_unit_test(test_orders_differ),
		cmocka_unit_test(test_orders_are_balanced),
		cmocka_unit_test(test_orders_are_by_chance),
		cmocka_unit_test(test_first_failure_ends),
		cmocka_unit_test(test_nothing_timed),
		cmocka_unit_test(test_a_failure_is_one_cells),
		cmocka_unit_test(test_interrupted_keeps_whole_rounds),
		cmocka_unit_test(test_interrupted_in_the_warm_up),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_loop_line),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

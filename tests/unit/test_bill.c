// SPDX-License-Identifier: GPL-2.0-or-later
/* What a bill has of a run that was not traced, and how its waits are divided. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "base/memory.h"
#include "model/rows/fields.h"
#include "model/run/run.h"
#include "model/tree/bill.h"
#include "report/options.h"
#include "report/tree/tree_times_report.h"

enum { US = 1000, MS = 1000 * US };

static struct bill *bill_of(const struct bill_row *rows, size_t count)
{
	struct bill *bill = checked_calloc(1, sizeof(*bill));

	bill->rows = checked_calloc(count, sizeof(*rows));
	memcpy(bill->rows, rows, count * sizeof(*rows));
	bill->count = count;
	bill->wall_ns = bill__wall(bill);
	for (size_t i = 0; i < count; i++)
		bill->cpu_ns += rows[i].cpu_ns;
	return bill;
}

static double untraced(const struct bill *bill, size_t row)
{
	return bill__untraced(&bill->rows[row], bill__scale(bill), bill->rows[row].wall_ns);
}

static void assert_near(double got, double want)
{
	assert_in_range((uint64_t)(got + 0.5), (uint64_t)want - 2, (uint64_t)want + 2);
}

static const struct bill_row rows[] = {
	{ .kind = BILL_CALL, .wall_ns = 30 * MS, .cpu_ns = 30 * MS, .count = 20000 },
	{ .kind = BILL_CODE, .wall_ns = 10 * MS, .cpu_ns = 10 * MS },
	{ .kind = BILL_DEVICE, .wall_ns = 60 * MS },
};

static void test_as_traced(void **state)
{
	struct bill *bill = bill_of(rows, 3);

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_near(untraced(bill, i), rows[i].wall_ns);
	shape__free(&bill_shape, bill);
}

/* Tracing has added 20 ms of CPU time: 1 us a call. A timer waits as long as before. */
static void test_calls_lose_what_tracing_takes(void **state)
{
	struct bill *bill = bill_of(rows, 3);

	(void)state;
	bill->untraced_cpu_ns = 20 * MS;
	bill->untraced_wall_ns = 80 * MS;
	assert_near(untraced(bill, 0), 10 * MS);
	assert_near(untraced(bill, 1), 10 * MS);
	assert_near(untraced(bill, 2), 60 * MS);
	bill->untraced_wall_ns = 70 * MS;
	assert_near(untraced(bill, 0), 5 * MS);
	assert_near(untraced(bill, 2), 60 * MS);
	shape__free(&bill_shape, bill);
}

/* With few calls, something else has taken the time. */
static void test_tracing_a_call_has_a_limit(void **state)
{
	struct bill *bill = bill_of(rows, 2);

	(void)state;
	bill->rows[0].count = 1000;
	bill->untraced_cpu_ns = 20 * MS;
	bill->untraced_wall_ns = 20 * MS;
	assert_near(bill__scale(bill).call_ns, 1600);
	assert_near(untraced(bill, 0) + untraced(bill, 1), 20 * MS);
	assert_near(untraced(bill, 0), 20.0 * MS * 28.4 / 38.4);
	shape__free(&bill_shape, bill);
}

static void test_waits_are_divided(void **state)
{
	static const struct bill_row waits[] = {
		{ .kind = BILL_CODE, .wall_ns = 10 * MS }, { .kind = BILL_UNKNOWN, .call_nr = -1, .wall_ns = 20 * MS } };
	const uint64_t idle[PATH_PARTS] = { [PATH_PART_READY] = 5 * MS, [PATH_PART_DEVICE] = 14 * MS,
					    [PATH_PART_UNKNOWN] = 3 * MS };
	struct bill *bill = bill_of(waits, 2);

	(void)state;
	bill__divide_waits(bill, idle);
	assert_int_equal(bill->count, 4);
	assert_int_equal(bill__wall(bill), 30 * MS);
	assert_int_equal(bill->rows[0].kind, BILL_DEVICE);
	assert_int_equal(bill->rows[0].wall_ns, 14 * MS);
	assert_int_equal(bill->rows[1].kind, BILL_CODE);
	assert_int_equal(bill->rows[2].wall_ns, 5 * MS);
	assert_int_equal(bill->rows[3].kind, BILL_UNKNOWN);
	assert_int_equal(bill->rows[3].wall_ns, 1 * MS);
	shape__free(&bill_shape, bill);
}

/* What comes before main() is no part of what follows it. */
static void test_largest_from_main_on(void **state)
{
	static const struct bill_row parts[] = {
		{ .kind = BILL_START, .exe = NO_EXE, .executed = true, .count = 1, .wall_ns = 50 * MS },
		{ .kind = BILL_DEVICE, .exe = NO_EXE, .wall_ns = 30 * MS },
		{ .kind = BILL_OTHERS, .exe = NO_EXE, .wall_ns = 20 * MS },
	};
	struct run run = { .bill = bill_of(parts, 3) };
	char *text = report__largest_from_main_on(&run);

	(void)state;
	assert_string_equal(text, ", above all waiting for a timer, a device or the network (30.0 % of the run)");
	free(text);
	run.bill->count = 1;
	text = report__largest_from_main_on(&run);
	assert_string_equal(text, "");
	free(text);
	shape__free(&bill_shape, run.bill);
}

/* Is the largest part said, or are forks the answer, which another sentence gives? */
static bool says_largest(uint64_t ready_ms, uint64_t fork_ms, uint64_t code_ms)
{
	const struct bill_row parts[] = {
		{ .kind = BILL_READY, .exe = NO_EXE, .wall_ns = ready_ms * MS },
		{ .kind = BILL_FORK, .exe = NO_EXE, .executed = true, .count = 1, .wall_ns = fork_ms * MS },
		{ .kind = BILL_CODE, .exe = NO_EXE, .executed = true, .count = 1, .wall_ns = code_ms * MS },
	};
	struct run run = { .bill = bill_of(parts, 3) };
	const struct report_options options = { 0 };
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	const bool result = report__print_bill_answer(&run, &options, &(struct table_output){ .stream = stream });

	fclose(stream);
	assert_int_equal(result, strstr(text, "The largest part of the run time") != NULL);
	free(text);
	shape__free(&bill_shape, run.bill);
	return result;
}

static void test_forks_are_the_answer(void **state)
{
	(void)state;
	assert_false(says_largest(0, 51, 49));
	assert_true(says_largest(0, 49, 51));
	assert_false(says_largest(80, 11, 9)); /* who needs the CPUs is not said by the command alone */
	assert_true(says_largest(90, 9, 1));
	assert_true(says_largest(80, 9, 11));
}

/* From a tenth of the run on, waiting for a CPU is left out of what shares are of. */
static void check_share(const char *words, uint64_t ready_ms, uint64_t code_ms)
{
	const struct bill_row parts[] = {
		{ .kind = BILL_DEVICE, .exe = NO_EXE, .wall_ns = (100 - ready_ms - code_ms) * MS },
		{ .kind = BILL_READY, .exe = NO_EXE, .wall_ns = ready_ms * MS },
		{ .kind = BILL_CODE, .exe = NO_EXE, .executed = true, .count = 1, .wall_ns = code_ms * MS },
	};
	struct run run = { .bill = bill_of(parts, 3) };
	char *text = report__largest_from_main_on(&run);

	assert_string_equal(text, words);
	free(text);
	shape__free(&bill_shape, run.bill);
}

static void test_waiting_for_a_cpu_hides_nothing(void **state)
{
	(void)state;
	check_share(", above all waiting for a timer, a device or the network (81.0 % of the run)", 9, 10);
	check_share(", above all waiting for a timer, a device or the network (88.9 % of the run without waiting for a CPU)", 10, 10);
	check_share(", above all waiting for a timer, a device or the network (75.0 % of the run without waiting for a CPU)", 80, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forks_are_the_answer),
		cmocka_unit_test(test_waiting_for_a_cpu_hides_nothing),
		cmocka_unit_test(test_as_traced),
		cmocka_unit_test(test_calls_lose_what_tracing_takes),
		cmocka_unit_test(test_tracing_a_call_has_a_limit),
		cmocka_unit_test(test_waits_are_divided),
		cmocka_unit_test(test_largest_from_main_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

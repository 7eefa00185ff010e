// SPDX-License-Identifier: GPL-2.0-or-later
/* The shares of all threads and the idle time are the clock, however many threads run beside each other, and when. */
#include <stdbool.h>

#include "unit.h"

#include "../../bpf/share_accounts.h"

enum { US = 1000, MS = 1000 * US, THREADS = 7 };

static const uint64_t unit = 1 << SHARE_BITS;

static void test_alone(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };

	(void)state;
	divide_clock(&shares, 15 * MS);
	assert_int_equal(shares.each, 5 * MS * unit);
	change_running(&shares, -1, 16 * MS);
	divide_clock(&shares, 20 * MS);
	assert_int_equal(shares.each, 6 * MS * unit);
	assert_int_equal(shares.idle_ns, 4 * MS);
}

static void test_beside_each_other(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };
	uint64_t second;

	(void)state;
	change_running(&shares, 1, 12 * MS);
	second = shares.each;
	divide_clock(&shares, 16 * MS);
	assert_int_equal(shares.each, 4 * MS * unit);
	assert_int_equal(shares.each - second, 2 * MS * unit);
}

/* Its clock was read before that of another CPU, and comes after it. */
static void test_late(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };

	(void)state;
	change_running(&shares, 1, 12 * MS);
	change_running(&shares, -1, 11 * MS);
	assert_int_equal(shares.at_ns, 12 * MS);
	assert_int_equal(shares.each, 2 * MS * unit);
}

static void test_end(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };

	(void)state;
	assert_int_equal(stop_clock(&shares, 12 * MS), 12 * MS);
	change_running(&shares, -1, 15 * MS);
	divide_clock(&shares, 20 * MS);
	assert_int_equal(shares.each, 2 * MS * unit);
	assert_int_equal(shares.idle_ns, 0);

	shares = (struct shares){ .at_ns = 10 * MS, .running = 1 };
	divide_clock(&shares, 13 * MS); /* another thread ran for longer */
	assert_int_equal(stop_clock(&shares, 12 * MS), 13 * MS);
}

/* Its switch to a CPU was not seen. It has what was idle since, and no more than was. */
static void test_seen_late(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };
	uint64_t from;

	(void)state;
	change_running(&shares, -1, 12 * MS);
	from = join_late(&shares, 15 * MS, 20 * MS);
	assert_int_equal(from, 2 * MS * unit);
	assert_int_equal(shares.each - from, 5 * MS * unit);
	assert_int_equal(shares.idle_ns, 3 * MS);
	divide_clock(&shares, 21 * MS);
	assert_int_equal(shares.each - from, 6 * MS * unit);

	change_running(&shares, -1, 21 * MS);
	from = join_late(&shares, 18 * MS, 24 * MS); /* another ran until then */
	assert_int_equal(shares.each - from, 3 * MS * unit);
	assert_int_equal(shares.idle_ns, 3 * MS);
	from = join_late(&shares, 22 * MS, 25 * MS); /* and still does */
	assert_int_equal(shares.each, from);
	assert_int_equal(shares.running, 2);
}

/* The clock has stopped: nobody gets any more of it. */
static void test_seen_after_the_end(void **state)
{
	struct shares shares = { .at_ns = 10 * MS, .running = 1 };

	(void)state;
	change_running(&shares, -1, 12 * MS);
	stop_clock(&shares, 20 * MS);
	join_late(&shares, 15 * MS, 25 * MS);
	assert_int_equal(shares.each, 2 * MS * unit);
	assert_int_equal(shares.idle_ns, 8 * MS);
}

/* Threads begin and cease to run, seen at once or late, as a generator of numbers has it. */
static void test_they_are_the_clock(void **state)
{
	struct shares shares = { .at_ns = MS, .running = 0 };
	uint64_t since[THREADS] = { 0 }, sum = 0, now = MS, random = 1;
	bool runs[THREADS] = { false };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		int thread;

		random = random * 6364136223846793005ull + 1442695040888963407ull;
		now += (random >> 33) % 10007;
		thread = (random >> 50) % THREADS;
		if (!runs[thread] && i % 5 == 0) {
			since[thread] = join_late(&shares, now - (random >> 40) % 20011, now);
			runs[thread] = true;
			continue;
		}
		change_running(&shares, runs[thread] ? -1 : 1, now);
		if (runs[thread])
			sum += shares.each - since[thread];
		since[thread] = shares.each;
		runs[thread] = !runs[thread];
	}
	stop_clock(&shares, now);
	for (int i = 0; i < THREADS; i++)
		sum += runs[i] ? shares.each - since[i] : 0;
	/* What is left of a division goes on to the next, so that nothing gets lost: */
	assert_in_range((now - MS - shares.idle_ns) * unit - sum, 0, THREADS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_beside_each_other),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_seen_late),
		cmocka_unit_test(test_seen_after_the_end),
		cmocka_unit_test(test_they_are_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

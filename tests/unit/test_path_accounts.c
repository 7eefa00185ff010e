// SPDX-License-Identifier: GPL-2.0-or-later
/* What a thread waits for, whether or not it was seen to be put on its CPU. */
#include <stdbool.h>

#include "unit.h"

#include "../../bpf/path_accounts.h"

enum { US = 1000, MS = 1000 * US };

static void assert_waits(const struct path_thread *thread, uint64_t cpu, uint64_t device, uint64_t others,
			 uint64_t unknown)
{
	assert_int_equal(thread->waits[PATH_WAITS_CPU], cpu);
	assert_int_equal(thread->waits[PATH_WAITS_DEVICE], device);
	assert_int_equal(thread->waits[PATH_WAITS_OTHERS], others);
	assert_int_equal(thread->waits[PATH_WAITS_UNKNOWN], unknown);
}

/* It sleeps from 10 ms to 15 ms. */
static struct path_thread woken(enum path_waker waker)
{
	struct path_thread thread = { 0 };

	path_thread_leaves(&thread, true, 10 * MS);
	path_thread_woken(&thread, waker, 15 * MS);
	return thread;
}

static void test_seen(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_enters(&thread, 16 * MS);
	path_thread_runs(&thread, 20 * MS); /* which is known */
	assert_waits(&thread, MS, 5 * MS, 0, 0);
	path_thread_leaves(&thread, false, 30 * MS);
	path_thread_enters(&thread, 32 * MS);
	assert_waits(&thread, 3 * MS, 5 * MS, 0, 0);
	path_thread_leaves(&thread, true, 40 * MS);
	path_thread_woken(&thread, PATH_BY_OTHERS, 41 * MS);
	path_thread_enters(&thread, 41 * MS);
	assert_waits(&thread, 3 * MS, 5 * MS, MS, 0);
}

static void test_woken_by_the_tree(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_enters(&thread, 16 * MS);
	path_thread_leaves(&thread, true, 20 * MS);
	path_thread_woken(&thread, PATH_BY_TREE, 25 * MS);
	path_thread_enters(&thread, 27 * MS);
	assert_waits(&thread, 2 * MS, 0, 0, 0);
}

static void test_put_on_its_cpu_unseen(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_runs(&thread, 16 * MS);
	assert_waits(&thread, MS, 5 * MS, 0, 0);
	assert_int_equal(thread.state, PATH_RUNS);

	path_thread_leaves(&thread, false, 20 * MS);
	path_thread_runs(&thread, 22 * MS);
	assert_waits(&thread, 3 * MS, 5 * MS, 0, 0);
}

/* Two clocks are compared: what comes out may be some microseconds early. */
static void test_not_before_it_could(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE), ready = { 0 };

	(void)state;
	path_thread_runs(&thread, 14 * MS);
	assert_waits(&thread, 0, 5 * MS, 0, 0);

	path_thread_leaves(&ready, false, 20 * MS);
	path_thread_runs(&ready, 19 * MS);
	assert_waits(&ready, 0, 0, 0, 0);
}

static void test_woken_unseen(void **state)
{
	struct path_thread thread = { 0 };

	(void)state;
	path_thread_leaves(&thread, true, 10 * MS);
	path_thread_enters(&thread, 15 * MS);
	assert_waits(&thread, 0, 0, 0, 5 * MS);
	path_thread_leaves(&thread, true, 20 * MS);
	path_thread_runs(&thread, 21 * MS);
	assert_waits(&thread, 0, 0, 0, 6 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seen),
		cmocka_unit_test(test_woken_by_the_tree),
		cmocka_unit_test(test_put_on_its_cpu_unseen),
		cmocka_unit_test(test_not_before_it_could),
		cmocka_unit_test(test_woken_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

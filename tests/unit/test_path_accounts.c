// SPDX-License-Identifier: GPL-2.0-or-later
/* What a thread waits for, whether or not it was seen to be put on its CPU. */
#include <stdbool.h>

#include "unit.h"

#include "../../bpf/path_accounts.h"

enum { US = 1000, MS = 1000 * US };

static void assert_waits(const struct path_thread *thread, uint64_t cpu, uint64_t device, uint64_t others,
			 uint64_t unknown)
{
	assert_int_equal(thread->wall.waits[PATH_WAITS_CPU], cpu);
	assert_int_equal(thread->wall.waits[PATH_WAITS_DEVICE], device);
	assert_int_equal(thread->wall.waits[PATH_WAITS_OTHERS], others);
	assert_int_equal(thread->wall.waits[PATH_WAITS_UNKNOWN], unknown);
}

/* The tree is idle in a quarter of all time. */
static struct path_time at(uint64_t ns)
{
	return (struct path_time){ ns, ns / 4 };
}

/* It sleeps from 10 ms to 15 ms. */
static struct path_thread woken(enum path_waker waker)
{
	struct path_thread thread = { 0 };

	path_thread_leaves(&thread, true, at(10 * MS));
	path_thread_woken(&thread, waker, at(15 * MS));
	return thread;
}

static void test_seen(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_enters(&thread, at(16 * MS));
	path_thread_runs(&thread, at(20 * MS)); /* which is known */
	assert_waits(&thread, MS, 5 * MS, 0, 0);
	assert_int_equal(thread.idle.waits[PATH_WAITS_CPU], MS / 4);
	assert_int_equal(thread.idle.waits[PATH_WAITS_DEVICE], 5 * MS / 4);
	path_thread_leaves(&thread, false, at(30 * MS));
	path_thread_enters(&thread, at(32 * MS));
	assert_waits(&thread, 3 * MS, 5 * MS, 0, 0);
	path_thread_leaves(&thread, true, at(40 * MS));
	path_thread_woken(&thread, PATH_BY_OTHERS, at(41 * MS));
	path_thread_enters(&thread, at(41 * MS));
	assert_waits(&thread, 3 * MS, 5 * MS, MS, 0);
}

static void test_woken_by_the_tree(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_enters(&thread, at(16 * MS));
	path_thread_leaves(&thread, true, at(20 * MS));
	path_thread_woken(&thread, PATH_BY_TREE, at(25 * MS));
	path_thread_enters(&thread, at(27 * MS));
	assert_waits(&thread, 2 * MS, 0, 0, 0);
	assert_int_equal(thread.idle.waits[PATH_WAITS_CPU], 2 * MS / 4);
	assert_int_equal(thread.idle.waits[PATH_WAITS_DEVICE], 0); /* nobody waits for that any more */
}

static void test_put_on_its_cpu_unseen(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE);

	(void)state;
	path_thread_runs(&thread, at(16 * MS));
	assert_waits(&thread, MS, 5 * MS, 0, 0);
	assert_int_equal(thread.state, PATH_RUNS);

	path_thread_leaves(&thread, false, at(20 * MS));
	path_thread_runs(&thread, at(22 * MS));
	assert_waits(&thread, 3 * MS, 5 * MS, 0, 0);
}

/* Two clocks are compared: what comes out may be some microseconds early. */
static void test_not_before_it_could(void **state)
{
	struct path_thread thread = woken(PATH_BY_DEVICE), ready = { 0 };

	(void)state;
	path_thread_runs(&thread, at(14 * MS));
	assert_waits(&thread, 0, 5 * MS, 0, 0);

	path_thread_leaves(&ready, false, at(20 * MS));
	path_thread_runs(&ready, at(19 * MS));
	assert_waits(&ready, 0, 0, 0, 0);
}

static void test_woken_unseen(void **state)
{
	struct path_thread thread = { 0 };

	(void)state;
	path_thread_leaves(&thread, true, at(10 * MS));
	path_thread_enters(&thread, at(15 * MS));
	assert_waits(&thread, 0, 0, 0, 5 * MS);
	path_thread_leaves(&thread, true, at(20 * MS));
	path_thread_runs(&thread, at(21 * MS));
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

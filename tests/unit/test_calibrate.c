// SPDX-License-Identifier: GPL-2.0-or-later
/* What the calibration promises beside the numbers, which only the machine knows. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "calibrate/calibrate.h"

/* There are systems without huge pages, and such as have no memory to fill the caches with. */
static bool may_be_unknown(int cost)
{
	struct sysinfo system;

	if (cost != COST_FORK_UNCACHED)
		return cost == COST_FORK_HUGE;
	return sysinfo(&system) ||
	       system.freeram < 5 * (unsigned long)UNCACHED_BYTES / system.mem_unit;
}

static void test_every_cost_is_known(void **state)
{
	struct estimate costs[COST_COUNT];
	char *reason;

	assert_true(calibrate__costs(costs, &reason));
	assert_null(reason);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct estimate *figure = &costs[cost];

		if (!figure->known && may_be_unknown(cost))
			continue;
		if (!figure->known)
			fail_msg("%s is not known", cost_keys[cost]);
		assert_true(figure->value > 0);
		assert_true(figure->bounded);
		assert_true(figure->low <= figure->value && figure->value <= figure->high);
	}
	/* No matter of speed: to copy all of a process cannot be cheaper than one system call. */
	assert_true(costs[COST_FORK].value > costs[COST_SYSCALL].value);
}

/* On a busy machine each of them often has the CPU in the middle of another's fork. */
static void test_several_at_once(void **state)
{
	enum { SEVERAL = 6 };
	struct estimate costs[COST_COUNT];
	char *reason;
	int status, failed = 0;

	for (int i = 0; i < SEVERAL; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			_exit(!calibrate__costs(costs, &reason) || !costs[COST_FORK].known ||
			      !costs[COST_VMA].known || !costs[COST_MAPPING].known);
	}
	for (int i = 0; i < SEVERAL; i++) {
		assert_true(wait(&status) > 0);
		failed += status != 0;
	}
	assert_int_equal(failed, 0);
}

static void test_nothing_is_left(void **state)
{
	struct estimate costs[COST_COUNT];
	cpu_set_t before, after;
	char *reason;

	sched_getaffinity(0, sizeof(before), &before);
	signal(SIGCHLD, SIG_IGN); /* as nohup and some supervisors leave it */
	calibrate__costs(costs, &reason);
	signal(SIGCHLD, SIG_DFL);
	free(reason);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
	assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	assert_true(costs[COST_FORK].known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_cost_is_known),
		cmocka_unit_test(test_several_at_once),
		cmocka_unit_test(test_nothing_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

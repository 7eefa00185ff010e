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

#include "base/procfs.h"
#include "calibrate/calibrate.h"
#include "calibrate/trials.h"

/* There are systems without huge pages, and such as have no memory to fill the caches with. */
static bool may_be_unknown(int cost)
{
	struct sysinfo system;

	if (cost != COST_FORK_UNCACHED)
		return cost == COST_FORK_HUGE;
	return sysinfo(&system) ||
	       system.freeram < 5 * (unsigned long)UNCACHED_BYTES / system.mem_unit;
}

enum { SECONDS = 28 /* nearly what they may take (SECONDS_MOST): emulated CPUs are slow */ };

static double seconds_since(double begin)
{
	return (raw__now() - begin) / 1e9;
}

static void test_every_cost_is_known(void **state)
{
	struct estimate costs[COST_COUNT];
	const double begin = raw__now();
	char *reason;

	assert_true(calibrate__costs(costs, &reason));
	assert_null(reason);
	if (seconds_since(begin) > SECONDS)
		skip(); /* what was not measured until then is not known */
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

/* Written by the dynamic linker, as every pointer has to be relocated; and by this test. */
enum { OWN_PAGES = 256, PAGE = 4096 };
static const char *const needed[] = { "one", "of many" };
static const char *const *const relocated[OWN_PAGES * PAGE / sizeof(void *)] = {
	[0 ... OWN_PAGES * PAGE / sizeof(void *) - 1] = needed
};
static char written[OWN_PAGES][PAGE];

/* What the line of that key in a file of /proc/PID says; 0: it cannot be read. */
static uint64_t bytes_of(pid_t pid, const char *file, const char *key)
{
	FILE *lines = procfs__open(pid, file);
	char line[256];
	uint64_t bytes = 0;

	while (lines && fgets(line, sizeof(line), lines))
		procfs__bytes(line, key, &bytes);
	if (lines)
		fclose(lines);
	return bytes;
}

/* In the exit status of a slim process: pages that its child has copied, if what it needs is there. */
static int copied_by_a_slim_fork(void)
{
	const struct timespec seconds = { .tv_sec = 60 };
	uint64_t pages;
	long pid;

	for (size_t i = 0; i < OWN_PAGES; i++)
		written[i][0] = 1;
	if (!relocated[0] || !slim__down(needed, sizeof(needed)))
		return 255;
	pid = arch__fork();
	if (pid == 0) {
		if (needed[1][0] == 'o')
			raw__call(SYS_nanosleep, (long)&seconds, 0, 0);
		raw__call(SYS_exit_group, 0, 0, 0);
	}
	pages = bytes_of((pid_t)pid, "smaps_rollup", "Anonymous:") / (uint64_t)sysconf(_SC_PAGESIZE);
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	return pages < 255 ? (int)pages : 255;
}

/* What forktax has written itself is none of the cost of a smallest fork. */
static void test_a_slim_process_copies_little(void **state)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(copied_by_a_slim_fork());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
#ifndef __SANITIZE_ADDRESS__ /* it cannot leave out anything then */
	assert_in_range(WEXITSTATUS(status), 1, 20);
#endif
}

static bool prepare(struct trial_setup *setup, enum cost cost)
{
	for (size_t i = 0; i < fork_trial_count; i++)
		if (fork_trials[i].cost == cost)
			return fork_trials[i].prepare(setup);
	return false;
}

/* By the kernel's count: as many tables as the cost is divided by, and a few above these. */
static void test_pages_have_tables_of_their_own(void **state)
{
	struct trial_setup setup = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	uint64_t before = bytes_of(getpid(), "status", "VmPTE:"), more;

	assert_true(before > 0);
	assert_true(prepare(&setup, COST_FORK_TABLE));
	more = (bytes_of(getpid(), "status", "VmPTE:") - before) / setup.page;
	assert_in_range(more, FORK_TABLES, FORK_TABLES + FORK_TABLES / 4); /* AddressSanitizer has some for its own */
}

/* Where there are huge pages, one of them is written, and all others are the zero page. */
static void test_huge_pages_are_huge(void **state)
{
	struct trial_setup setup = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	uint64_t before = bytes_of(getpid(), "smaps_rollup", "AnonHugePages:");

	if (!prepare(&setup, COST_FORK_HUGE))
		skip();
	assert_int_equal(bytes_of(getpid(), "smaps_rollup", "AnonHugePages:") - before, trial__span(&setup));
}

/* How many can be done at once by one CPU in half of the time that they have. */
static int as_many_as_end(void)
{
	enum { SEVERAL = 6 };
	struct estimate costs[COST_COUNT];
	const double begin = raw__now();
	char *reason;
	double seconds;

	calibrate__costs(costs, &reason);
	free(reason);
	seconds = seconds_since(begin);
	return seconds * SEVERAL < SECONDS / 2. ? SEVERAL : (int)(SECONDS / 2. / seconds);
}

/* On a busy machine each of them often has the CPU in the middle of another's fork. */
static void test_several_at_once(void **state)
{
	const int several = as_many_as_end();
	struct estimate costs[COST_COUNT];
	char *reason;
	int status, failed = 0;

	if (several < 2)
		skip();
	for (int i = 0; i < several; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			_exit(!calibrate__costs(costs, &reason) || !costs[COST_FORK].known ||
			      !costs[COST_VMA].known || !costs[COST_MAPPING].known);
	}
	for (int i = 0; i < several; i++) {
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
		cmocka_unit_test(test_a_slim_process_copies_little),
		cmocka_unit_test(test_pages_have_tables_of_their_own),
		cmocka_unit_test(test_huge_pages_are_huge),
		cmocka_unit_test(test_several_at_once),
		cmocka_unit_test(test_nothing_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls that fail in twelve ways, each a different number of times: in the command and in threads of
 * it that run at once, in children with threads, and in children before and after they execute
 * something.
 */
#include "sample.h"

extern char **environ;

enum {
	ROUNDS = 3,
	THREADS = 4,
	CHILDREN = 3, /* with ... */
	THREADS_OF_CHILD = 2, /* ... each */
	EXECS = 2,
	OF_ROOT = 1 + THREADS,
	ALL = OF_ROOT + CHILDREN * (1 + THREADS_OF_CHILD) + EXECS * 2,
	STACK = 16384,
	NOBODY = 0x7fffffff,
	HERE = -100, /* AT_FDCWD */
};

static const struct failure {
	long nr, first;
	const char *path;
} failures[] = {
	{NR_getpgid, NOBODY, 0},	       /* ESRCH */
	{NR_getsid, NOBODY, 0},		       /* ESRCH */
	{NR_sched_getscheduler, -1, 0},	       /* EINVAL */
	{NR_sched_getscheduler, NOBODY, 0},    /* ESRCH */
	{NR_flock, -1, (char *)1},	       /* EBADF: LOCK_SH of no file */
	{NR_tkill, -1, 0},		       /* EINVAL */
	{NR_tkill, NOBODY, 0},		       /* ESRCH */
	{NR_readlinkat, HERE, "/missing/one"}, /* ENOENT */
	{NR_readlinkat, HERE, "/"},	       /* EINVAL */
	{NR_readlinkat, HERE, (char *)1},      /* EFAULT */
	{NR_readlinkat, -1, "one"},	       /* EBADF */
	{NR_readlinkat, HERE, "/dev/null/x"},  /* ENOTDIR */
};

enum { WAYS = sizeof(failures) / sizeof(failures[0]) };

/* How often way number `n` (from 1) happens where all happen once. */
#define TIMES(n) ((n) * ROUNDS)

static char stacks[THREADS][STACK] __attribute__((aligned(16)));
static volatile int ready;

static void fail_all(void)
{
	char target[64];

	for (int round = 0; round < ROUNDS; round++)
		for (int way = 0; way < WAYS; way++)
			for (int i = 0; i <= way; i++)
				raw4(failures[way].nr, failures[way].first,
				     (long)failures[way].path, (long)target, sizeof(target));
}

static void work(void *unused)
{
	(void)unused;
	fail_all();
	__sync_fetch_and_add(&ready, 1);
}

/* The threads have made their calls when this returns; their ends do not matter. */
static void fail_in_threads(int count)
{
	ready = 0;
	for (int i = 0; i < count; i++)
		if (raw__start(FLAG_A_THREAD, stacks[i], STACK, work, 0) < 0)
			sample__fail("manyerrors: cannot create a thread\n");
	fail_all();
	while (ready < count)
		raw(NR_sched_yield, 0, 0, 0);
}

static void run_child(int executes, char *const *leaf)
{
	if (executes)
		fail_all();
	else
		fail_in_threads(THREADS_OF_CHILD);
	if (executes)
		execve("/proc/self/exe", leaf, environ);
	raw__leave(executes);
}

static int expectation(void)
{
	return sample__expect(&(struct expectation){
		.forks = CHILDREN + EXECS,
		.execs = 1 + EXECS,
		.threads = THREADS + CHILDREN * THREADS_OF_CHILD,
		.calls = {{"getpgid", ALL * TIMES(1), .errors = ALL * TIMES(1),
			   .of_root = OF_ROOT * TIMES(1)},
			  {"getsid", ALL * TIMES(2), .errors = ALL * TIMES(2),
			   .of_root = OF_ROOT * TIMES(2)},
			  {"sched_getscheduler", ALL * TIMES(7), .errors = ALL * TIMES(7),
			   .of_root = OF_ROOT * TIMES(7)},
			  {"flock", ALL * TIMES(5), .errors = ALL * TIMES(5),
			   .of_root = OF_ROOT * TIMES(5)},
			  {"tkill", ALL * TIMES(13), .errors = ALL * TIMES(13),
			   .of_root = OF_ROOT * TIMES(13)},
			  {"readlinkat", ALL * TIMES(50), .errors = ALL * TIMES(50),
			   .of_root = OF_ROOT * TIMES(50)}},
		.errnos = {{"getpgid", "ESRCH", ALL * TIMES(1)},
			   {"getsid", "ESRCH", ALL * TIMES(2)},
			   {"sched_getscheduler", "EINVAL", ALL * TIMES(3)},
			   {"sched_getscheduler", "ESRCH", ALL * TIMES(4)},
			   {"flock", "EBADF", ALL * TIMES(5)},
			   {"tkill", "EINVAL", ALL * TIMES(6)},
			   {"tkill", "ESRCH", ALL * TIMES(7)},
			   {"readlinkat", "ENOENT", ALL * TIMES(8)},
			   {"readlinkat", "EINVAL", ALL * TIMES(9)},
			   {"readlinkat", "EFAULT", ALL * TIMES(10)},
			   {"readlinkat", "EBADF", ALL * TIMES(11)},
			   {"readlinkat", "ENOTDIR", ALL * TIMES(12)}},
		.children = {{"fork", CHILDREN + EXECS, 0, 0}},
	});
}

int main(int argc, char **argv)
{
	char *const leaf[] = {argv[0], "--leaf", 0};

	if (sample__expecting(&argc, &argv))
		return expectation();
	if (sample__is_leaf(argc, argv)) {
		fail_all();
		return 0;
	}
	fail_in_threads(THREADS);
	for (int i = 0; i < CHILDREN + EXECS; i++) {
		long pid = raw__fork();

		if (pid == 0)
			run_child(i >= CHILDREN, leaf);
		raw__wait(pid);
	}
	return 0;
}

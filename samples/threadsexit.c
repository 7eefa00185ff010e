/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The threads of one process leave at the same moment, in round after round: the process must end
 * exactly once. No thread calls exit_group: the status of the process is that of its leader, and
 * since Linux 6.1 that of its last thread, so all leave with the same one.
 *
 *   -n N   rounds (10)
 *   -t N   threads besides the leader (8)
 */
#include "sample.h"

enum { MOST_THREADS = 8, STACK = 4096, STATUS = 7 };

static char stacks[MOST_THREADS][STACK] __attribute__((aligned(16)));
static long rounds = 10, threads = MOST_THREADS;
static volatile int go;

static void work(void *unused)
{
	enum { FUTEX_WAIT = 0 };

	(void)unused;
	raw(NR_getppid, 0, 0, 0);
	/* Who comes too late to wait is told so by EAGAIN. */
	raw4(NR_futex, (long)&go, FUTEX_WAIT, 0, 0);
	while (!go)
		;
	raw(NR_exit, STATUS, 0, 0);
}

static void one_round(void)
{
	enum { FUTEX_WAKE = 1 };

	for (int i = 0; i < threads; i++)
		if (raw__start(FLAG_A_THREAD, stacks[i], STACK, work, NULL) < 0)
			sample__fail("threadsexit: cannot create a thread\n");
	go = 1;
	raw(NR_futex, (long)&go, FUTEX_WAKE, threads);
	raw(NR_exit, STATUS, 0, 0);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-n"))
			rounds = sample__number(argv[i + 1]);
		else if (!strcmp(argv[i], "-t") && sample__number(argv[i + 1]) <= MOST_THREADS)
			threads = sample__number(argv[i + 1]);
	}
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = rounds,
			.execs = 1,
			.threads = rounds * threads,
			.calls = {{"getppid", .calls = rounds * threads},
				  {"futex", .calls = rounds * (threads + 1), .errors = NOT_KNOWN}},
			.children = {{"fork", rounds, .status = STATUS}},
		});
	for (long i = 0; i < rounds; i++) {
		long pid = raw__fork();

		if (pid == 0)
			one_round();
		raw__wait(pid);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The threads of one process leave at the same moment, in round after round: the process must end
 * exactly once. No thread calls exit_group: the status of the process is that of its leader, and
 * since Linux 6.1 that of its last thread, so all leave with the same one.
 *
 *   -n N   rounds (10)
 *   -t N   threads besides the leader (8)
 */
#include "thread_rounds.h"

enum { MOST_THREADS = 8, STACK = 4096, STATUS = 7 };

static char stacks[MOST_THREADS][STACK] __attribute__((aligned(16)));
static struct thread_rounds options = {10, MOST_THREADS};
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

	for (int i = 0; i < options.threads; i++)
		if (raw__start(FLAG_A_THREAD, stacks[i], STACK, work, NULL) < 0)
			sample__fail("threadsexit: cannot create a thread\n");
	go = 1;
	raw(NR_futex, (long)&go, FUTEX_WAKE, options.threads);
	raw(NR_exit, STATUS, 0, 0);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);

	thread_rounds__options(&options, argc, argv, MOST_THREADS);
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = options.rounds,
			.execs = 1,
			.threads = options.rounds * options.threads,
			.calls = {{"getppid", .calls = options.rounds * options.threads},
				  {"futex", .calls = options.rounds * (options.threads + 1),
				   .errors = NOT_KNOWN}},
			.children = {{"fork", options.rounds, .status = STATUS}},
		});
	thread_rounds__run(&options, one_round);
	return 0;
}

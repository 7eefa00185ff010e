/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults after the exit: a process with threads forks, which write-protects its pages, and then
 * ends all its threads. As each goes, the kernel clears the word that set_tid_address(2) named, and
 * takes the page over: a fault of a thread that has nearly ended.
 *
 *   -n N   rounds (3)
 *   -t N   threads besides the leader (4)
 */
#include "sample.h"

enum { MOST_THREADS = 32, STACK = 4096, PAGE = 4096, STATUS = 7 };

static char stacks[MOST_THREADS][STACK] __attribute__((aligned(16)));
static volatile int words[MOST_THREADS][PAGE / sizeof(int)] __attribute__((aligned(4096)));
static volatile int ready;
static long rounds = 3, threads = 4;

static void work(void *word)
{
	*(volatile int *)word = 1;
	raw(NR_set_tid_address, (long)word, 0, 0);
	__sync_fetch_and_add(&ready, 1);
	for (;;) /* no call: a tracer that attaches would have it begin again */
		;
}

static void one_round(void)
{
	long child;

	for (int i = 0; i < threads; i++)
		if (raw__start(FLAG_A_THREAD, stacks[i], STACK, work, (void *)words[i]) < 0)
			sample__fail("threadslate: cannot create a thread\n");
	while (ready < threads)
		;
	child = raw__fork();
	if (child == 0)
		raw__leave(0);
	raw__wait(child);
	raw__leave(STATUS);
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
			.forks = 2 * rounds,
			.execs = 1,
			.threads = rounds * threads,
			/* The last one to go has the memory for itself: nothing is cleared for it. */
			.faults = {{"cow_reuse", .min = rounds * (threads - 1)}},
			.children = {{"fork", rounds, .status = STATUS}, {"fork", rounds}},
		});
	for (long i = 0; i < rounds; i++) {
		long pid = raw__fork();

		if (pid == 0)
			one_round();
		raw__wait(pid);
	}
	return 0;
}

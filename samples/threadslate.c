/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults after the exit: a process with threads forks, which write-protects its pages, and then
 * ends all its threads. As each goes, the kernel clears the word that set_tid_address(2) named, and
 * takes the page over: a fault of a thread that has nearly ended.
 *
 *   -n N   rounds (3)
 *   -t N   threads besides the leader (4)
 */
#include "thread_rounds.h"

enum { MOST_THREADS = 32, STACK = 4096, PAGE = 4096, STATUS = 7 };

static char stacks[MOST_THREADS][STACK] __attribute__((aligned(16)));
static volatile int words[MOST_THREADS][PAGE / sizeof(int)] __attribute__((aligned(4096)));
static volatile int ready;
static struct thread_rounds options = {3, 4};

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

	for (int i = 0; i < options.threads; i++)
		if (raw__start(FLAG_A_THREAD, stacks[i], STACK, work, (void *)words[i]) < 0)
			sample__fail("threadslate: cannot create a thread\n");
	while (ready < options.threads)
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

	thread_rounds__options(&options, argc, argv, MOST_THREADS);
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = 2 * options.rounds,
			.execs = 1,
			.threads = options.rounds * options.threads,
			/* The last one to go has the memory for itself: nothing is cleared for it. */
			.faults = {{"cow_reuse", .min = options.rounds * (options.threads - 1)}},
			.children = {{"fork", options.rounds, .status = STATUS},
				     {"fork", options.rounds}},
		});
	thread_rounds__run(&options, one_round);
	return 0;
}

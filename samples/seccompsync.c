/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A filter of seccomp that a thread gets from another one (TSYNC), between two of its calls: the
 * first has returned well and was no error, and all that follow are denied.
 */
#include "seccomp.h"

enum { DENIED = 20, STACK = 4096 };

static char stack[STACK] __attribute__((aligned(16)));
static volatile int ready, go, done;

static void work(void *unused)
{
	(void)unused;
	raw(NR_getsid, 0, 0, 0);
	ready = 1;
	while (!go)
		;
	raw__repeat(NR_getpgid, 0, DENIED);
	done = 1;
	for (;;) /* no exit of its own, which might come before or after that of the process */
		;
}

static void deny_for_all_threads(unsigned int nr)
{
	if (seccomp__answer(nr, RET_ERRNO | 1, 1))
		sample__skip("seccompsync: this kernel has no filters for all threads\n");
}

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.threads = 1,
			.calls = {{"getsid", .calls = 1, .of_root = 1},
				  {"getpgid", .denied = DENIED}},
		});
	if (raw__start(FLAG_A_THREAD, stack, STACK, work, NULL) < 0)
		sample__fail("seccompsync: cannot create a thread\n");
	while (!ready)
		;
	deny_for_all_threads(NR_getpgid);
	go = 1;
	while (!done)
		;
	raw__leave(0); /* dietlibc would end the first thread only */
}

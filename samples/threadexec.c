/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread that is not the leader calls execve: the leader dies, the thread becomes the process.
 */
#include "sample.h"

enum { STACK = 16384, BEFORE = 20, AFTER = 30 };

extern char **environ;

static char stack[STACK] __attribute__((aligned(16)));

static void work(void *name)
{
	char *const argv[] = {name, "--leaf", NULL};

	raw__repeat(NR_getppid, 0, BEFORE);
	raw(NR_execve, (long)"/proc/self/exe", (long)argv, (long)environ);
	sample__fail("threadexec: cannot execute /proc/self/exe\n");
}

int main(int argc, char **argv)
{
	if (sample__is_leaf(argc, argv)) {
		raw__repeat(NR_getpgid, 0, AFTER);
		return 5;
	}
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 2,
			.threads = 1,
			.status = 5,
			.calls = {{"getppid", .calls = BEFORE, .of_root = BEFORE},
				  {"getpgid", .calls = AFTER, .of_root = AFTER},
				  {"execve", .calls = 2, .of_root = 2}},
		});
	if (raw__start(FLAG_A_THREAD, stack, STACK, work, argv[0]) < 0)
		sample__fail("threadexec: cannot create a thread\n");
	for (;;)
		raw__pause();
}

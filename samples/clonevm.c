/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * clone(CLONE_VM) that is neither a thread nor a vfork: a process of its own in its parent's
 * memory, running beside it.
 */
#include "sample.h"

enum { CHILDREN = 10, CALLS = 5, STACK = 16384, STATUS = 6 };

static char stack[STACK] __attribute__((aligned(16)));

static void work(void *unused)
{
	(void)unused;
	raw__repeat(NR_getppid, 0, CALLS);
	raw__leave(STATUS);
}

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.calls = {{"clone", .calls = CHILDREN, .of_root = CHILDREN},
				  {"getppid", .calls = CHILDREN * CALLS}},
			.children = {{"clone", CHILDREN, .status = STATUS}},
		});
	for (int i = 0; i < CHILDREN; i++) {
		long pid = raw__start(FLAG_VM | SIGNAL_CHILD, stack, STACK, work, NULL);

		if (pid < 0)
			sample__fail("clonevm: cannot create a child\n");
		raw__wait(pid);
	}
	return 0;
}

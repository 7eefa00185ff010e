/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several processes with the same pid, one after the other: clone3() with set_tid.
 */
#include "sample.h"

enum { CHILDREN = 3, CALLS = 5, REFUSED = -17, LAST = 32700, FIRST = 32000 };

/* struct clone_args as of Linux 5.5. */
struct arguments {
	unsigned long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
	unsigned long set_tid, set_tid_size;
};

/* The first child finds a free pid; in how many tries is not part of the expectation. */
static long create(int *wanted, int may_move)
{
	struct arguments arguments = {
		.exit_signal = SIGNAL_CHILD, .set_tid = (unsigned long)wanted, .set_tid_size = 1};
	long pid;

	do {
		pid = raw(NR_clone3, (long)&arguments, sizeof(arguments), 0);
	} while (pid == REFUSED && may_move && --*wanted > FIRST);
	return pid;
}

int main(int argc, char **argv)
{
	int wanted = LAST;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.calls = {{"getppid", .calls = CHILDREN * CALLS}},
			.children = {{"fork", CHILDREN}},
		});
	for (int i = 0; i < CHILDREN; i++) {
		long pid = create(&wanted, i == 0);

		if (pid < 0)
			sample__skip("pidreuse: set_tid needs Linux 5.5 and privileges\n");
		if (pid == 0) {
			raw__repeat(NR_getppid, 0, CALLS);
			raw__leave(0);
		}
		raw__wait(pid);
	}
	return 0;
}

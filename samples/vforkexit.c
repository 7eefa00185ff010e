/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vfork() and _exit(): the child borrows its parent's memory and never has any of its own.
 */
#include <sys/wait.h>

#include "sample.h"

enum { CHILDREN = 20, CALLS = 5, STATUS = 3 };

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.calls = {{"getppid", .calls = CHILDREN * CALLS}},
			.children = {{LIBC_VFORK, CHILDREN, .status = STATUS}},
		});
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = vfork();

		if (pid < 0)
			sample__fail("vforkexit: cannot create a child\n");
		if (pid == 0) {
			raw__repeat(NR_getppid, 0, CALLS);
			_exit(STATUS);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * clone3(), called raw; and clone3() with arguments that the kernel refuses, which makes no child.
 */
#include "sample.h"

enum { CHILDREN = 10, REFUSED = 3, CALLS = 5 };

/* struct clone_args as of Linux 5.3. */
struct arguments {
	unsigned long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

int main(int argc, char **argv)
{
	struct arguments good = {.exit_signal = SIGNAL_CHILD};
	struct arguments bad = {.flags = FLAG_THREAD, .exit_signal = SIGNAL_CHILD};

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN,
			.execs = 1,
			.calls = {{"clone3", CHILDREN + REFUSED, .errors = REFUSED,
				   .of_root = CHILDREN + REFUSED},
				  {"getppid", .calls = CHILDREN * CALLS}},
			.children = {{"fork", CHILDREN, .status = 9}},
		});
	for (int i = 0; i < CHILDREN; i++) {
		long pid = raw(NR_clone3, (long)&good, sizeof(good), 0);

		if (pid < 0)
			sample__skip("clone3: not in this kernel\n");
		if (pid == 0) {
			raw__repeat(NR_getppid, 0, CALLS);
			raw__leave(9);
		}
		raw__wait(pid);
	}
	for (int i = 0; i < REFUSED; i++)
		raw(NR_clone3, (long)&bad, sizeof(bad), 0);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CLONE_UNTRACED: no ptrace-based tracer can follow this child; what counts in the kernel can.
 */
#include "sample.h"

enum { CALLS = 20 };

int main(int argc, char **argv)
{
	long pid;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 1,
			.execs = 1,
			.calls = {{"getpgid", .calls = CALLS},
				  {"exit_group", .calls = strcmp(LIBC_EXIT, "exit") ? 2 : 1,
				   .of_root = strcmp(LIBC_EXIT, "exit") ? 1 : 0}},
			.children = {{"fork", 1, .status = 8}},
		});
	pid = raw__clone(FLAG_UNTRACED | SIGNAL_CHILD);
	if (pid < 0)
		sample__fail("cloneuntraced: cannot create a child\n");
	if (pid == 0) {
		raw__repeat(NR_getpgid, 0, CALLS);
		raw__leave(8);
	}
	raw__wait(pid);
	return 0;
}

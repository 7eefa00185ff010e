/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A child that is pid 1 of a new pid namespace, with a child of its own there.
 */
#include "sample.h"

enum { CALLS = 25 };

static void first(void)
{
	long pid = raw__fork();

	if (pid == 0) {
		raw__repeat(NR_getsid, 0, CALLS);
		raw__leave(0);
	}
	raw__wait(pid);
	raw__repeat(NR_getpgid, 0, CALLS);
	raw__leave(raw(NR_getpid, 0, 0, 0) == 1 ? 0 : 1);
}

int main(int argc, char **argv)
{
	long pid;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 2,
			.execs = 1,
			.calls = {{"getpgid", .calls = CALLS}, {"getsid", .calls = CALLS}},
			.children = {{"fork", 2}},
		});
	pid = raw__clone(FLAG_NEWPID | SIGNAL_CHILD);
	if (pid < 0)
		sample__skip("pidns: a new pid namespace needs CAP_SYS_ADMIN\n");
	if (pid == 0)
		first();
	return raw__wait(pid) != 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CLONE_PARENT: the child of a child becomes its sibling, so that its ppid is not its creator.
 */
#include "sample.h"

enum { CALLS = 7 };

static void middle(void)
{
	long pid = raw__clone(FLAG_PARENT | SIGNAL_CHILD);

	if (pid < 0)
		sample__fail("cloneparent: cannot create a child\n");
	if (pid == 0) {
		raw__repeat(NR_getpgid, 0, CALLS);
		raw__leave(2);
	}
	raw__repeat(NR_getppid, 0, CALLS);
	raw__leave(1);
}

int main(int argc, char **argv)
{
	long pid;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 2,
			.execs = 1,
			.calls = {{"getpgid", .calls = CALLS}, {"getppid", .calls = CALLS}},
			.children = {{"fork", 1, .status = 1}, {"fork", 1, .status = 2}},
		});
	pid = raw__fork();
	if (pid < 0)
		sample__fail("cloneparent: cannot create a child\n");
	if (pid == 0)
		middle();
	raw__wait(-1);
	raw__wait(-1);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A chain of processes, -n deep (200): each forks the next and waits for it.
 */
#include "sample.h"

static void chain(long depth)
{
	while (depth-- > 0) {
		long pid = raw__fork();

		if (pid < 0)
			sample__fail("forkchain: cannot create a child\n");
		if (pid > 0)
			raw__leave(raw__wait(pid) != 0);
		raw(NR_getppid, 0, 0, 0);
	}
	raw__leave(0);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	long depth = 200;

	if (argc == 3 && strcmp(argv[1], "-n") == 0)
		depth = sample__number(argv[2]);
	if (expecting)
		return sample__expect(&(struct expectation){
			.forks = depth,
			.execs = 1,
			.calls = {{"getppid", .calls = depth},
				  {"clone", .calls = depth, .of_root = 1},
				  {"exit_group", .calls = depth + 1, .of_root = 1}},
			.children = {{"fork", depth}},
		});
	chain(depth);
	return 0;
}

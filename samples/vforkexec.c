/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vfork() and execve(): each child borrows its parent's memory, then has an image of its own. -f
 * makes the execve fail: the child leaves with 127 and never has an image.
 */
#include <sys/wait.h>

#include "sample.h"

enum { CHILDREN = 10, CALLS = 5 };

extern char **environ;

static int expect(int fails)
{
	long reached = fails ? 0 : CHILDREN;

	return sample__expect(&(struct expectation){
		.forks = CHILDREN,
		.execs = 1 + reached,
		.calls = {{"execve", 1 + CHILDREN, .errors = CHILDREN - reached, .of_root = 1},
			  {"getppid", .calls = reached * CALLS}},
		.children = {{LIBC_VFORK, CHILDREN, .status = fails ? 127 : 4}},
	});
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	int fails = argc > 1 && strcmp(argv[1], "-f") == 0;
	const char *path = fails ? "/proc/self/missing" : "/proc/self/exe";
	char *const leaf[] = {argv[0], "--leaf", NULL};

	if (sample__is_leaf(argc, argv)) {
		raw__repeat(NR_getppid, 0, CALLS);
		return 4;
	}
	if (expecting)
		return expect(fails);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = vfork();

		if (pid < 0)
			sample__fail("vforkexec: cannot create a child\n");
		if (pid == 0) {
			execve(path, leaf, environ);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

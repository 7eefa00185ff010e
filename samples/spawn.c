/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * posix_spawn(), which both libcs make of clone(CLONE_VM | CLONE_VFORK) and execve(); once it names
 * a program that is not there.
 *
 * forktax-sample: not=diet reason="dietlibc has no posix_spawn"
 */
#include <spawn.h>
#include <sys/wait.h>

#include "sample.h"

enum { CHILDREN = 10, CALLS = 5 };

extern char **environ;

int main(int argc, char **argv)
{
	char *const leaf[] = {argv[0], "--leaf", NULL};
	pid_t pid;

	if (sample__is_leaf(argc, argv)) {
		raw__repeat(NR_getppid, 0, CALLS);
		return 0;
	}
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = CHILDREN + 1,
			.execs = 1 + CHILDREN,
			.calls = {{"execve", 2 + CHILDREN, .errors = 1, .of_root = 1},
				  {"getppid", .calls = CHILDREN * CALLS}},
			.children = {{"vfork", CHILDREN}, {"vfork", 1, .status = 127}},
		});
	for (int i = 0; i < CHILDREN; i++) {
		if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, leaf, environ))
			sample__fail("spawn: cannot spawn /proc/self/exe\n");
		waitpid(pid, NULL, 0);
	}
	if (!posix_spawn(&pid, "/proc/self/missing", NULL, NULL, leaf, environ))
		sample__fail("spawn: there is a /proc/self/missing\n");
	return 0;
}

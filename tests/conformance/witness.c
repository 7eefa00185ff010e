/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * witness FILE PATH [ARGUMENT]...: runs the command and writes what wait4(2) says of it, with
 * all descendants that were waited for, as "MINFLT MAJFLT STATUS" to FILE; STATUS is the raw
 * status word. Ends as the command did, except that a death by signal N becomes the status 128+N.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return 125;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		return 2;
	/* After vfork the child makes no call but execve: all that is counted is the command's. */
	pid = vfork();
	if (pid < 0)
		return fail("witness: vfork");
	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		return fail("witness: wait4");
	file = fopen(argv[1], "we");
	if (!file)
		return fail(argv[1]);
	fprintf(file, "%ld %ld %d\n", usage.ru_minflt, usage.ru_majflt, status);
	if (fclose(file))
		return fail(argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

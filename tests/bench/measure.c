/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * measure FILE PATH [ARGUMENT]...: runs the command and writes "WALL_NS MAXRSS_KB STATUS" to
 * FILE: from before its birth to after its end, the most memory that it or a descendant had, and
 * the raw status word. Static and small, because the memory of whoever calls execve counts into
 * the maximum of what it becomes.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int fail(const char *what)
{
	perror(what);
	return 125;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	long long start, end;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		return 2;
	start = now();
	pid = vfork();
	if (pid < 0)
		return fail("measure: vfork");
	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		return fail("measure: wait4");
	end = now();
	file = fopen(argv[1], "we");
	if (!file)
		return fail(argv[1]);
	fprintf(file, "%lld %ld %d\n", end - start, usage.ru_maxrss, status);
	if (fclose(file))
		return fail(argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * launch NAME COMMAND... : runs the command of a test, and appends to the file $FORKTAX_TIMES its CPU time and that of all
 * that it waited for (user, system): ctest knows the wall time alone. Its exit status is that of the command. Without the
 * variable the command takes its place.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return time.tv_sec + time.tv_usec / 1e6;
}

static void execute(char **command)
{
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

/* One write at the end of the file: tests run beside each other. */
static void append(const char *path, const char *name, const struct rusage *usage)
{
	FILE *file = fopen(path, "ae");

	if (!file) {
		perror(path);
		return;
	}
	fprintf(file, "%s %.3f %.3f\n", name, seconds(usage->ru_utime), seconds(usage->ru_stime));
	if (fclose(file))
		perror(path);
}

int main(int argc, char **argv)
{
	const char *path = getenv("FORKTAX_TIMES");
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 3)
		return 2;
	if (!path)
		execute(argv + 2);
	path = strdup(path);
	unsetenv("FORKTAX_TIMES");
	pid = fork();
	if (pid == 0)
		execute(argv + 2);
	if (!path || pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
		perror("launch");
		return 1;
	}
	append(path, argv[1], &usage);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status)); /* so that ctest says which */
	}
	return WEXITSTATUS(status);
}

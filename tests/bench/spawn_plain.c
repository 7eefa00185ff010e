/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loop of `forktax bench spawn` as anybody would write it, with nothing but libc:
 *
 *	spawn_plain METHOD COUNT KIB [PATH]
 *
 * prints nanoseconds per process. KIB is written to before, in one piece of malloc.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char stack[64 * 1024] __attribute__((aligned(16)));

static int nothing(void *unused)
{
	(void)unused;
	return 0;
}

static pid_t create(const char *method, char **argv)
{
	pid_t pid = -1;

	if (!strcmp(method, "clone"))
		return clone(nothing, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	if (!strcmp(method, "posix_spawn"))
		return posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) ? -1 : pid;
	if (!strncmp(method, "vfork", 5))
		pid = vfork();
	else
		pid = fork();
	if (pid == 0 && strstr(method, "-exec"))
		execve(argv[0], argv, environ);
	if (pid == 0)
		_exit(0);
	return pid;
}

int main(int argc, char **argv)
{
	char *program[] = {argc > 4 ? argv[4] : NULL, NULL};
	struct timespec begin, end;
	long count, size;
	char *memory;

	if (argc < 4)
		return 2;
	count = atol(argv[2]);
	size = atol(argv[3]) * 1024;
	memory = size ? malloc(size) : NULL;
	if (memory)
		memset(memory, 1, size);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < count; i++) {
		pid_t pid = create(argv[1], program);

		if (pid < 0 || waitpid(pid, NULL, 0) < 0) {
			perror(argv[1]);
			return 1;
		}
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.0f\n", ((end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec) / count);
	free(memory);
	return 0;
}

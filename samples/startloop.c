/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Executes a command again and again, and sums up what lies between the call of execve and the
 * notice of its end; the loop program of `forktax bench startup`.
 *
 *	startloop [-i] [PATH [ARGUMENT...]] [-n N]
 *
 *	-i	the command may fail
 *	-n N	times (10); these are the last words
 *
 * Without PATH it executes itself, to no effect. The child borrows the memory until its execve, so
 * that no copy of it has to be torn down there, and reads the clock last of all before it. stdout of
 * the command is /dev/null.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "loop.h"
#include "sample.h"

extern char **environ;

static long began[2]; /* written by the child: a struct timespec */

static long start(char **command)
{
	long pid = raw4(NR_clone, FLAG_VM | FLAG_VFORK | SIGNAL_CHILD, 0, 0, 0);

	if (pid == 0) {
		raw(NR_clock_gettime, 1, (long)began, 0);
		raw(NR_execve, (long)command[0], (long)command, (long)environ);
		raw__leave(127);
	}
	return pid;
}

static void print_error(const char *path, const char *problem)
{
	sample__put("startloop: ");
	sample__put(path);
	sample__put(problem);
	sample__put("\n");
	raw__leave(write(2, sample_text, sample_length) < 0 ? 2 : 1);
}

/* Returns ns from execve to the notice of the end. */
static long run(char **command, int may_fail)
{
	long pid = start(command);
	int status = pid < 0 ? 0 : raw__wait(pid);
	long end = loop__read(1);

	if (pid < 0)
		print_error(command[0], ": cannot create a process");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		print_error(command[0], ": cannot be executed, or a part of it");
	if (status && !may_fail)
		print_error(command[0], WIFEXITED(status) ? ": the command fails" :
							 ": the command was killed by a signal");
	return end - began[0] * 1000000000 - began[1];
}

/* The command's output is nobody's; what is told goes to the stdout that was. */
static int set_output_aside(void)
{
	int output = fcntl(1, F_DUPFD, 10), null = open("/dev/null", O_WRONLY);

	if (output < 0 || null < 0 || fcntl(output, F_SETFD, FD_CLOEXEC) < 0 || dup2(null, 1) < 0)
		sample__fail("startloop: cannot open /dev/null\n");
	close(null);
	return output;
}

static int expect(long times)
{
	return sample__expect(&(struct expectation){
		.forks = times,
		.execs = times + 1,
		.calls = {{"execve", .calls = times + 1, .of_root = 1}},
		.children = {{"vfork", times}},
	});
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv), may_fail = 0, output;
	char *leaf[] = {"/proc/self/exe", "--leaf", NULL}, **command = argv + 1;
	struct loop_clock begin, end;
	long times = 10, sum = 0;

	if (sample__is_leaf(argc, argv))
		return 0;
	if (argc > 2 && strcmp(argv[argc - 2], "-n") == 0) {
		times = sample__number(argv[argc - 1]);
		argv[argc - 2] = NULL;
	}
	if (*command && strcmp(*command, "-i") == 0) {
		may_fail = 1;
		command++;
	}
	if (!*command)
		command = leaf;
	if (expecting)
		return expect(times);
	output = set_output_aside();
	begin = loop__clock();
	for (long n = 0; n < times; n++)
		sum += run(command, may_fail);
	end = loop__clock();
	dup2(output, 1);
	end.ns = begin.ns + sum; /* of the time only what was summed up */
	loop__tell_between(begin, end, times, NULL, 0);
	return 0;
}

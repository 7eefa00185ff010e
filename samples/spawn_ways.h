/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ways of probes/spawn_methods.def to create a process and wait for it: a function each.
 */
#ifndef SAMPLE_SPAWN_WAYS_H
#define SAMPLE_SPAWN_WAYS_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#ifndef __dietlibc__
#include <spawn.h>
#endif

#include "sample.h"

enum { STACK = 64 * 1024, BY_PIDFD = 3, EXITED = 4, COMMAND_MAX = 8192 };
enum { FLAG_PIDFD = 0x1000 };

extern char **environ;

struct spawn_target {
	const char *path; /* NULL: none is needed */
	const char *shell; /* for system(); NULL: /bin/sh */
};

static char stack[STACK] __attribute__((aligned(16)));
static char command[COMMAND_MAX]; /* of a shell */

/* Each way returns a negative errno, or what wait says about the child. */
typedef long way_fn(const struct spawn_target *target);

static long wait_for(long pid)
{
	return pid < 0 ? (errno ? -errno : -1) : raw__wait(pid);
}

/* The same for a system call without libc. */
static long wait_for_raw(long pid)
{
	return pid < 0 ? pid : raw__wait(pid);
}

static void become(const char *path, char *const *argv)
{
	execve(path, argv, environ);
	_exit(127);
}

static void become_target(const struct spawn_target *target)
{
	char *const argv[] = {(char *)target->path, NULL};

	become(target->path, argv);
}

static long way_FORK(const struct spawn_target *target)
{
	pid_t pid = fork();

	(void)target;
	if (pid == 0)
		_exit(0);
	return wait_for(pid);
}

static long way_VFORK(const struct spawn_target *target)
{
	pid_t pid = vfork();

	(void)target;
	if (pid == 0)
		_exit(0);
	return wait_for(pid);
}

static void leave(void *nothing)
{
	(void)nothing;
	raw__leave(0);
}

static long way_CLONE(const struct spawn_target *target)
{
	(void)target;
	return wait_for_raw(raw__start(FLAG_VM | FLAG_VFORK | SIGNAL_CHILD, stack, sizeof(stack),
				       leave, NULL));
}

static long way_PIDFD(const struct spawn_target *target)
{
	int pidfd = -1, info[32] = {0}; /* a siginfo_t; si_status is its seventh word */
	long pid = raw4(NR_clone, FLAG_VM | FLAG_VFORK | FLAG_PIDFD | SIGNAL_CHILD, 0,
			(long)&pidfd, 0);

	(void)target;
	if (pid == 0)
		raw__leave(0);
	if (pid < 0)
		return pid;
	pid = raw4(NR_waitid, BY_PIDFD, pidfd, (long)info, EXITED);
	raw(NR_close, pidfd, 0, 0);
	return pid < 0 ? pid : info[6];
}

static long way_FORK_EXEC(const struct spawn_target *target)
{
	pid_t pid = fork();

	if (pid == 0)
		become_target(target);
	return wait_for(pid);
}

static long way_VFORK_EXEC(const struct spawn_target *target)
{
	pid_t pid = vfork();

	if (pid == 0)
		become_target(target);
	return wait_for(pid);
}

#ifdef __dietlibc__
static long spawn(const char *path, char *const *argv)
{
	pid_t pid = fork();

	if (pid == 0)
		become(path, argv);
	return wait_for(pid);
}

static long way_SPAWN(const struct spawn_target *target)
{
	(void)target;
	sample__skip("spawnloop: dietlibc has no posix_spawn\n");
	return -1;
}
#else
static long spawn(const char *path, char *const *argv)
{
	pid_t pid;
	int error = posix_spawn(&pid, path, NULL, NULL, argv, environ);

	return error ? -error : raw__wait(pid);
}

static long way_SPAWN(const struct spawn_target *target)
{
	char *const argv[] = {(char *)target->path, NULL};

	return spawn(target->path, argv);
}
#endif

/* The child shares stack and memory: it does nothing but execve before the parent goes on. */
static long way_CLEAR(const struct spawn_target *target)
{
	unsigned long arguments[8] = {
		FLAG_VM | FLAG_VFORK | 0x100000000, /* CLONE_CLEAR_SIGHAND */
		[4] = SIGNAL_CHILD,
	};
	long pid = raw(NR_clone3, (long)arguments, sizeof(arguments), 0);

	if (pid == 0)
		become_target(target);
	return wait_for_raw(pid);
}

/* What system() does, with another shell. */
static long by_shell(const struct spawn_target *target)
{
	/* Which of its programs busybox is, its argv[0] says; the others do not mind. */
	char *const argv[] = {"sh", "-c", command, NULL};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	sigset_t child, before;
	long status;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	sigprocmask(SIG_BLOCK, &child, &before);
	status = spawn(target->shell, argv);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigaction(SIGINT, &interrupt, NULL);
	return status;
}

static long way_SYSTEM(const struct spawn_target *target)
{
#ifdef __dietlibc__
	struct spawn_target like_libc = {.shell = target->shell ? target->shell : "/bin/sh"};

	return by_shell(&like_libc); /* the linker warns of each use of its system() */
#else
	int status;

	if (target->shell)
		return by_shell(target);
	status = system(command);
	return status < 0 ? -errno : status;
#endif
}

static const struct way {
	const char *key;
	way_fn *create;
	const char *birth;
	int executes;
} ways[] = {
#define METHOD(id, key, name, birth, executes, what) {key, way_##id, birth, executes},
#include "../probes/spawn_methods.def"
#undef METHOD
};

/* PATH in quotes. */
static void make_command(const char *path)
{
	unsigned long length = 0;

	command[length++] = '\'';
	for (; *path; path++) {
		if (length > COMMAND_MAX - 8)
			sample__end(2, "spawnloop: -e: the path is too long\n");
		if (*path == '\'') {
			memcpy(command + length, "'\\''", 4);
			length += 4;
		} else {
			command[length++] = *path;
		}
	}
	command[length] = '\'';
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How another program is started: what it is given, and what becomes of it when forktax ends. The
 * simple way is launch__start(); who has something to do in between forks and takes the two steps.
 */
#ifndef FORKTAX_LAUNCH_LAUNCH_H
#define FORKTAX_LAUNCH_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* In launch.stdio: /dev/null. */
enum { LAUNCH_NULL = -1 };
/* The descriptors 0 to 2 are those of forktax, or all of them /dev/null. */
#define LAUNCH_STDIO_OURS { 0, 1, 2 }
#define LAUNCH_STDIO_NULL { LAUNCH_NULL, LAUNCH_NULL, LAUNCH_NULL }

struct launch {
	const char *path; /* of the executable */
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* NULL-terminated; NULL: our own */
	int stdio[3]; /* which descriptors of ours become its 0 to 2; LAUNCH_NULL */
	const sigset_t *mask; /* signals blocked in it; NULL: those of ours */
	const char *user; /* run as that user; NULL: as ourselves */
	bool no_aslr; /* a fixed memory layout */
	bool own_group; /* it leads a process group */
	bool dies_with_us; /* killed when forktax ends, however that ends */
};

/*
 * Starts it. Returns 0 when it has been executed; else nothing runs, and it is the errno of the
 * execve, or negative that of what comes before. The child borrows our memory until its execve, as
 * with posix_spawn(3): what is measured is not the size of forktax.
 */
int launch__start(const struct launch *launch, pid_t *pid);

/*
 * The steps of a child, between a fork (or vfork) with all signals blocked, and the end: only system
 * calls, but for `user`. The first returns 0 or an errno, the second does not return, or an errno.
 * `mask` must not be NULL.
 */
int launch__prepare(const struct launch *launch, pid_t parent);
int launch__execute(const struct launch *launch);

/*
 * A copy of our environment with changes (NULL-terminated): "NAME=value" sets a variable, "NAME"
 * removes it. To be freed by text__free_list(). NULL, which means our own, if there are no changes.
 */
char **environment__changed(const char *const *changes);

/* Waits for the end (or, of a traced one, the next stop) of a child. Returns its wait status. */
int launch__reap(pid_t pid);

/* fork(2) for a process of ours without an execve. The child does not outlive its parent. */
pid_t launch__fork(void);

#endif

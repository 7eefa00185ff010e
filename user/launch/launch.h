/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Starting another program: what it gets, and what becomes of it when forktax ends. The simple way is
 * launch__start(); callers with something to do in between fork and take the two steps themselves.
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
	int stdio[3]; /* our descriptors that become its 0 to 2, or LAUNCH_NULL */
	const sigset_t *mask; /* its blocked signals; NULL: as ours */
	const char *user; /* run as that user; NULL: as ourselves */
	bool no_aslr; /* a fixed memory layout */
	bool own_group; /* it leads a process group */
	bool traceable; /* by our other children, too, which lack our rights, even where Yama restricts ptrace */
	bool dies_with_us; /* killed when forktax ends, however it ends */
	bool clean; /* no signal is ignored or blocked, and nothing open but its descriptors 0 to 2 */
	bool merges; /* the kernel may merge its pages (KSM), and its children's; not after a vfork */
};

/*
 * Starts the program. Returns 0 once it has been executed. Otherwise nothing runs, and the result is
 * the errno of the execve, or the negative errno of an earlier step. The child borrows our memory
 * until its execve, as with posix_spawn(3): so the size of forktax is not part of what is measured.
 */
int launch__start(const struct launch *launch, pid_t *pid);

/*
 * The steps of a child after a fork (or vfork) with all signals blocked: only system calls, except
 * for `user`. The first returns 0 or an errno; the second returns an errno if it fails. `mask` must
 * not be NULL.
 */
int launch__prepare(const struct launch *launch, pid_t parent);
int launch__execute(const struct launch *launch);

/*
 * A copy of our environment with changes (NULL-terminated): "NAME=value" sets a variable, "NAME"
 * removes it; of two for one variable the later one holds. To be freed by text__free_list(). NULL, which means our
 * own, if there are no changes.
 */
char **environment__changed(const char *const *changes);
/*
 * Gives all environments (NULL: ours) FORKTAX_PADDING: they take as many bytes, so that a setting that only one
 * has does not shift the stack of its command. Leaves them alone if all are ours. To be freed as above.
 */
void environments__level(char **environments[], size_t count);

/*
 * Of our environment the variables of these names (NULL-terminated; "LC_*" stands for all that begin so),
 * sorted, and FORKTAX_PADDING: with it, what the kernel puts on the stack of the command for its execve
 * ends a whole number of pages below the stack's begin. So how many pages of its stack a program touches
 * does not depend on how long our variables are, as long as they take no page more. To be freed by
 * text__free_list().
 */
char **environment__chosen(const char *const *names, const char *path, char *const *argv);

/*
 * Does the file change our rights when it is executed? Then the kernel starts ld.so in secure mode (AT_SECURE), and
 * keeps no fixed memory layout.
 */
bool launch__gains_rights(const char *path);

/* Waits for the end of a child, which may have asked to be traced. Returns its wait status. */
int launch__reap(pid_t pid);

/* fork(2) for a child that executes nothing. It does not outlive its parent. */
pid_t launch__fork(void);

#endif

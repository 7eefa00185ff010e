/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The launch gate: a child that has been forked and prepared, and waits before its execve until
 * tracing is armed. It makes exactly one more system call of consequence: the execve itself.
 */
#ifndef FORKTAX_LAUNCH_GATE_H
#define FORKTAX_LAUNCH_GATE_H

#include <sys/types.h>

#include "launch/launch.h"

struct gate {
	pid_t pid;
	int pidfd;
	int open_fd; /* writing one byte opens the gate, closing it calls the launch off */
	int error_fd; /* closed by a successful execve, else carries its errno */
};

/*
 * Finds argv[0] as execvp(3) does, so that the child needs only one execve. Returns the path (to be
 * freed), or NULL with errno: ENOENT if there is none, EACCES if it is not executable, EISDIR if it
 * is a directory.
 */
char *gate__find(const char *name);
/* The same with the PATH of this environment (NULL-terminated; NULL: our own); our own where it has none. */
char *gate__find_in(const char *name, char *const *environment);

/* Forks the child; launch->mask must not be NULL. Returns 0, or -1 with errno. */
int gate__close(struct gate *gate, const struct launch *launch);

/* The first half of gate__open(), for who has more to wait for: until `error_fd` is readable. 0 or a negative errno. */
int gate__begin_to_open(struct gate *gate);
/*
 * Lets the child go. Returns 0 if its execve succeeded, else its errno; negative if the child could
 * not be prepared for it. The child is reaped in both cases.
 */
int gate__open(struct gate *gate);

/* Calls the launch off: the child ends without ever having run the command. */
void gate__abandon(struct gate *gate);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children that have asked to be traced (PTRACE_TRACEME), as programs do that look for a debugger. Their parent traces
 * them from then on, which is forktax, and each signal stops them until it lets them go. Nobody else would.
 */
#ifndef FORKTAX_LAUNCH_TRACEE_H
#define FORKTAX_LAUNCH_TRACEE_H

#include <signal.h>
#include <sys/types.h>

/*
 * Lets all go that have stopped since the last call: they are not traced any more, and go on with their signal. A stop
 * is announced by SIGCHLD. Does not wait. Not for those who trace children on purpose.
 */
void tracees__let_go(void);
/* The same for one child that waitpid(2) reports as stopped. */
void tracee__let_go(pid_t pid, int status);

/* Meanwhile SIGCHLD is something to poll for. What is started then needs a mask of its own (launch.mask). */
struct tracees {
	int fd; /* readable: a child has stopped or ended; -1: no such descriptor */
	sigset_t mask; /* as it was before */
};

void tracees__begin(struct tracees *tracees);
void tracees__look(struct tracees *tracees); /* when it is readable */
void tracees__end(struct tracees *tracees);

#endif

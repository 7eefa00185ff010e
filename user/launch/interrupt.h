/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SIGINT, SIGTERM and SIGHUP as something to poll for, while something is measured. A signal that was
 * ignored when forktax began stays ignored. Between the beginning and the end of one there may be
 * others, which then are the same.
 */
#ifndef FORKTAX_LAUNCH_INTERRUPT_H
#define FORKTAX_LAUNCH_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { INTERRUPT_SIGNALS = 3 };
extern const int interrupt_signals[INTERRUPT_SIGNALS];

struct interrupt {
	int fd; /* readable when one has come; -1: cannot be had, it is noticed later */
	sigset_t taken; /* the signals that are not ignored */
	sigset_t mask; /* as it was before: give it to children */
	struct sigaction before[INTERRUPT_SIGNALS];
};

void interrupt__begin(struct interrupt *interrupt); /* blocks them */
/* Puts everything back as it was. A signal that has come is forgotten: ask before. */
void interrupt__end(struct interrupt *interrupt);
/* The first that has come since the beginning, 0: none. Does not wait. */
int interrupt__came(struct interrupt *interrupt);
/*
 * Did a signal end a traced command? One that was meant for us, which tracing has taken
 * (`asked_by`, 0: none), or one that came to the command alone (`ended_by`, 0: none).
 */
bool interrupt__ended(struct interrupt *interrupt, int asked_by, int ended_by);
/*
 * Between these a child (not yet reaped) may be waited for without a look at `fd`: a signal that
 * comes, or has come before, kills it.
 */
void interrupt__kill_on_signal(struct interrupt *interrupt, pid_t pid);
void interrupt__kill_nobody(struct interrupt *interrupt); /* it may have been reaped by now */

#endif

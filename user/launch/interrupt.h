/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SIGINT, SIGTERM and SIGHUP as something to poll for during a measurement. A signal that was ignored
 * when forktax began stays ignored. Interrupts nest: inner ones are the same as the outermost.
 */
#ifndef FORKTAX_LAUNCH_INTERRUPT_H
#define FORKTAX_LAUNCH_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { INTERRUPT_SIGNALS = 3 };
extern const int interrupt_signals[INTERRUPT_SIGNALS];

struct interrupt {
	int fd; /* readable when a signal has come; -1: no such descriptor, signals are noticed later */
	sigset_t taken; /* the signals that are not ignored */
	sigset_t mask; /* as it was before: for children */
	struct sigaction before[INTERRUPT_SIGNALS];
};

void interrupt__begin(struct interrupt *interrupt); /* blocks them */
/* Restores everything. A signal that has come is forgotten: ask before. */
void interrupt__end(struct interrupt *interrupt);
/* The first signal since the beginning, or 0. Does not wait. */
int interrupt__came(struct interrupt *interrupt);
/* Goes on as if none had come. */
void interrupt__forget(struct interrupt *interrupt);
/*
 * Did a signal end a traced command: one sent to us and taken by tracing (`asked_by`), or one sent to
 * the command alone (`ended_by`)? 0: no such signal.
 */
bool interrupt__ended(struct interrupt *interrupt, int asked_by, int ended_by);
/*
 * Between these two calls a child (not yet reaped) may be waited for without polling `fd`: a signal
 * kills it, even one that came before.
 */
void interrupt__kill_on_signal(struct interrupt *interrupt, pid_t pid);
void interrupt__kill_nobody(struct interrupt *interrupt); /* it may have been reaped by now */

#endif

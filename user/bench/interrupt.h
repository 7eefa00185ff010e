/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SIGINT, SIGTERM and SIGHUP as something to poll for, while a bench runs. A signal that was
 * ignored when forktax began stays ignored. One at a time.
 */
#ifndef FORKTAX_BENCH_INTERRUPT_H
#define FORKTAX_BENCH_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { INTERRUPT_SIGNALS = 3 };

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
 * Between these the signals are not blocked, but noted, so that others may handle them: what
 * tracing starts inherits the mask of these.
 */
void interrupt__pause(struct interrupt *interrupt);
void interrupt__resume(struct interrupt *interrupt);
/*
 * A child that a signal ends at once, even one that came before, or comes before anybody waits for
 * the child. To be spared when it has ended and is not reaped yet: so long the id is its own.
 */
void interrupt__expose(pid_t child);
void interrupt__spare(void);

#endif

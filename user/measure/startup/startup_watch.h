/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The marks of a start in a run that is traced: breakpoints on the process that waits at the gate note
 * when it reaches its first instruction, its entry, main() and what main() returns to. It is neither
 * stopped nor changed; each mark delays it by some microseconds.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_WATCH_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_WATCH_H

#include "measure/startup/startup_parts.h"
#include "model/start/start.h"

enum { STARTUP_MARKS = 4 };

struct startup_watch {
	struct startup_marks marks; /* addresses */
	void *rings[STARTUP_MARKS]; /* NULL: not watched */
	char *reason; /* why marks are missing; NULL: none is; owned */
};

/* Finds the addresses, by a run of the command up to main(), under ptrace. Its layout must be fixed. */
void startup_watch__learn(struct startup_watch *watch, const struct startup_command *command,
			  struct interrupt *interrupt);
/* For trace_request.on_gate: the watch is the context. */
void startup_watch__open(pid_t pid, void *watch);
/* Stores what was noted in the start, and releases the watch. */
void startup_watch__take(struct startup_watch *watch, struct start *start);
void startup_watch__release(struct startup_watch *watch);

#endif

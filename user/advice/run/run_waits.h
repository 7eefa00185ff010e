/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the command waited for, as its critical path and the calls that slept on it say.
 */
#ifndef FORKTAX_ADVICE_RUN_RUN_WAITS_H
#define FORKTAX_ADVICE_RUN_RUN_WAITS_H

#include "advice/run/run_subject.h"

/* Who waits for more than this part of the run needs a reason. */
#define WAITS_SHARE_LEAST 0.15

/* Calls of one program that sleep for the same. */
struct run_wait {
	const struct wait *first; /* NULL: there is none */
	const char *program; /* borrowed */
	bool executed; /* by the processes themselves; false: they are copies of their parent, */
	uint64_t children, newest; /* so many, or more, and the id of the youngest */
	uint64_t calls, timed_out;
	double ns; /* on the critical path */
};

/*
 * The one that takes longest, of those that wait for a child (`reaps`) or of all others; no longer than the run waits.
 * Silent on processes with several threads: which of them is on the path is not known.
 */
struct run_wait run_wait__longest(const struct run_subject *subject, bool reaps);

#endif

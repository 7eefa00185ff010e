/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls of a start that would not be made, and what they took.
 */
#ifndef FORKTAX_ADVICE_START_START_COST_H
#define FORKTAX_ADVICE_START_START_COST_H

#include "advice/start/rules_start.h"

struct start_cost {
	uint64_t calls, failed; /* failed: of these */
	uint64_t ns; /* as traced */
	double waited_ns; /* of these: what single calls took far beyond the median */
};

/* Of the calls that it concerns. */
struct start_cost start_cost__of(const struct start *start, bool (*concerns)(const struct start_call *call));

/*
 * Sets what is saved: the time of the calls as traced, without waiting. No more than all of it, as it contains the
 * tracing; no less than so many of the least call that there is. What the program does with the results is not in it.
 */
void start_cost__predict(const struct start_cost *cost, const struct start_subject *subject, struct advice *advice);

/* Does the call look for a file by a path, and fail because none is there? */
bool start_call__misses(const struct start_call *call);

#endif

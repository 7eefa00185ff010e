/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long the calls of one kind took: shortest, longest, 99th percentile, buckets.
 */
#ifndef FORKTAX_SOURCE_CALLS_DURATIONS_H
#define FORKTAX_SOURCE_CALLS_DURATIONS_H

#include "model/run/run.h"
#include "source/calls/histogram.h"

struct durations {
	uint64_t min_ns, max_ns; /* mean nothing if there is none */
	struct histogram times; /* in units of unit_ns */
	uint64_t unit_ns; /* 0: not chosen yet */
};

/* One call. Times of a log are whole microseconds, unless it was made otherwise. */
void durations__add(struct durations *durations, uint64_t time_ns);
/* Into the row of the call, if there is a time. Sorts the histogram. */
void durations__fill(struct durations *durations, struct syscall_row *row);
void durations__free(struct durations *durations);

#endif

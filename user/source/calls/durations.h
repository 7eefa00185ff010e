/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long the calls of one kind took: shortest, longest, 99th percentile.
 */
#ifndef FORKTAX_SOURCE_CALLS_DURATIONS_H
#define FORKTAX_SOURCE_CALLS_DURATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/run/run.h"

/*
 * How often each value occurred, in bounded memory: values up to 4095 are exact, of larger ones the
 * highest 12 bits are kept, as in the distributions of the kernel half (bpf/forktax.h, DIST_EXACT).
 */
struct histogram_bin {
	uint64_t value, count;
};

struct histogram {
	struct histogram_bin *bins; /* owned */
	struct hash numbers; /* of the bins, by value: as long as they are not sorted */
	uint64_t count;
};

void histogram__add(struct histogram *histogram, uint64_t value, uint64_t count);
/* The value at this rank (from 0) in ascending order, rounded down. Sorts the bins: nothing can be added any more. */
uint64_t histogram__at(struct histogram *histogram, uint64_t rank);
/* The largest value that is kept as this one. */
uint64_t histogram__upper(uint64_t kept);
void histogram__free(struct histogram *histogram);

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

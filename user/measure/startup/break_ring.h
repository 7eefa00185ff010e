/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The times at which an instruction is executed, noted by a breakpoint in a debug register
 * (perf_event_open(2)). x86 CPUs have four of them for each thread. Needs no privileges where
 * kernel.perf_event_paranoid is 2 at most.
 */
#ifndef FORKTAX_MEASURE_STARTUP_BREAK_RING_H
#define FORKTAX_MEASURE_STARTUP_BREAK_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Watches the calling thread, from now or from its next execve on, until the ring is closed. The
 * ring may be closed by a process that shares the memory. NULL with errno if it cannot be had.
 * Makes system calls only: good for a child of vfork.
 */
void *break_ring__open(uint64_t address, bool from_exec);
void break_ring__close(void *ring); /* NULL is fine */
/* The first times, CLOCK_MONOTONIC ns, at most `most`; returns how many. */
size_t break_ring__times(const void *ring, double *times, size_t most);

/* What being noted costs: before the time that is noted, and after it. ns. */
struct break_cost {
	double before, after;
};

/* Medians, tried on ourselves. Returns 0, or -1 and stores a reason (to be freed). */
int break_ring__calibrate(struct break_cost *cost, char **reason);

#endif

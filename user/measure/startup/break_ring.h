/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The times at which an instruction is executed, recorded by a breakpoint in a debug register
 * (perf_event_open(2)); CPUs have at least four per thread. Needs no privileges where
 * kernel.perf_event_paranoid is at most 2.
 */
#ifndef FORKTAX_MEASURE_STARTUP_BREAK_RING_H
#define FORKTAX_MEASURE_STARTUP_BREAK_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Watches a thread (0: the calling one), from now or from its next execve on, until the ring is closed,
 * maybe by a process that shares the memory. NULL with errno if that fails. Makes only system calls, so
 * a child of vfork may use it.
 */
void *break_ring__open(pid_t thread, uint64_t address, bool from_exec);
void break_ring__close(void *ring); /* NULL is fine */
/* The first times, CLOCK_MONOTONIC ns, at most `most`; returns how many. */
size_t break_ring__times(const void *ring, double *times, size_t most);

/* The cost of recording, before and after the recorded time; ns. */
struct break_cost {
	double before, after;
};

/* Medians, measured on ourselves. Returns 0, or -1 and stores a reason (to be freed). */
int break_ring__calibrate(struct break_cost *cost, char **reason);

#endif

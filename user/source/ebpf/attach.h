/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes that run already: the kernel half finds and marks them by iterators.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_ATTACH_H
#define FORKTAX_SOURCE_EBPF_ATTACH_H

#include "source/ebpf/tracing.h"

/* Runs an iterator to its end. Returns the number of bytes that it printed, or -errno. */
long tracing__iterate(struct bpf_program *program);

/* Marks the threads that are in the watched cgroups now, not only at their next call. -errno, or not negative. */
long tracing__mark_members(struct tracing *tracing);

/* Implements trace_pids() of struct source. */
int tracing__attach(struct tracing *tracing, char **message);
/* Ends the counts of threads that have left the watched cgroups. */
void tracing__follow_members(struct tracing *tracing);
/* Says whether calls are missing. */
void tracing__note_uncounted(struct tracing *tracing);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The eBPF source: the kernel half loaded, attached and armed. Internal to user/source.
 * Life order: open, mark, arm (or arm, seed), wait on the ring, disarm, read, close.
 */
#ifndef FORKTAX_SOURCE_EBPF_EBPF_H
#define FORKTAX_SOURCE_EBPF_EBPF_H

#include "source/trace.h"

struct forktax_bpf;
struct ring_buffer;
struct exe_paths;
struct anatomy_source;

struct ebpf {
	struct forktax_bpf *skeleton;
	struct ring_buffer *ring;
	struct exe_paths *paths;
	struct anatomy_source *anatomy; /* NULL unless asked for */
	struct run *run; /* receives kept processes as they end */
	bool all_processes;
};

/*
 * Loads and attaches everything; nothing is counted yet. Returns 0, or -1 and a message to be
 * freed: what failed, why, what to do next.
 */
int ebpf__open(struct ebpf *ebpf, const struct trace_request *request, struct run *run,
	       char **message);
void ebpf__close(struct ebpf *ebpf);

/* Marks the task that waits at the launch gate: counting starts with its execve. */
int ebpf__mark(struct ebpf *ebpf, int pidfd);

/*
 * Marks all threads of running processes, while armed. Returns 0, or a negative errno. Processes that ended
 * meanwhile are not an error here: ebpf__live() tells.
 */
int ebpf__seed(struct ebpf *ebpf, const int32_t *pids, size_t count);

void ebpf__arm(struct ebpf *ebpf);

/* File descriptor that becomes readable when a message arrives. */
int ebpf__ring_fd(const struct ebpf *ebpf);
void ebpf__consume(struct ebpf *ebpf);

/* Processes that have not ended yet. */
uint64_t ebpf__live(const struct ebpf *ebpf);

/* Stops counting and folds in what still runs. Idempotent. */
void ebpf__disarm(struct ebpf *ebpf);

/* Moves everything counted into the run. After ebpf__disarm(). */
void ebpf__read(struct ebpf *ebpf);

#endif

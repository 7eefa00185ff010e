/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of the eBPF source, which its parts share.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_TRACING_H
#define FORKTAX_SOURCE_EBPF_TRACING_H

#include "source/ebpf/fault_events.h"
#include "source/source.h"

struct forktax_bpf;
struct ring_buffer;
struct exe_paths;
struct detail_reader;
struct call_reader;
struct flow_reader;
struct path_reader;
struct bpf_program;

struct tracing {
	const struct source_request *request;
	struct forktax_bpf *skeleton;
	struct ring_buffer *ring;
	struct exe_paths *paths;
	struct detail_reader *details; /* NULL unless asked for */
	struct call_reader *calls; /* NULL unless asked for */
	struct flow_reader *flow; /* NULL unless asked for */
	struct fault_events faults; /* that open windows: programs__fault_begin() */
	struct path_reader *path; /* NULL unless asked for */
	struct run *run; /* receives kept processes as they end */
	bool is_finished; /* all is counted, and no process is left */
	bool members_left; /* threads are in the watched cgroups no longer */
	struct cgroup_watch {
		size_t listed, placed; /* of request->cgroups, that the kernel half knows */
		uint64_t *unnamed; /* ids of new ones whose names it could not read: look for them */
		size_t unnamed_count;
		uint64_t look_ns; /* CLOCK_MONOTONIC: look then, too; 0: never */
	} cgroups;
};

static inline bool tracing__asks(const struct tracing *tracing, enum ability ability)
{
	return source_request__has(tracing->request, ability);
}

#endif

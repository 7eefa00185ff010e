/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The eBPF source: the kernel half, loaded, attached and armed. All but `source_ebpf` is internal
 * to it: its state, and its parts that have files of their own.
 */
#ifndef FORKTAX_SOURCE_EBPF_EBPF_H
#define FORKTAX_SOURCE_EBPF_EBPF_H

#include "source/ebpf/fault_events.h"
#include "source/source.h"

extern const struct source source_ebpf;

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

/*
 * What the eBPF source needs, a row each, and how to try it. Implements capabilities() of struct source.
 * Keeps libbpf from printing: what is tried may fail.
 */
const struct capability *capabilities__list(size_t *count);

/* Runs an iterator to its end. Returns the number of bytes that it printed, or -errno. */
long tracing__iterate(struct bpf_program *program);
/* The same; `*output`, NULL at first, becomes what it printed, to be freed. */
long tracing__read_iterator(struct bpf_program *program, char **output);

struct cgroup_message;
/* Makes room for the cgroups of the request; before the programs are loaded. */
void tracing__configure_cgroups(const struct tracing *tracing, struct forktax_bpf *skeleton);
/* Tells the kernel half which cgroups to watch, now and when they are created. 0 or -errno. */
int tracing__list_cgroups(struct tracing *tracing);
void tracing__take_cgroup(struct tracing *tracing, const struct cgroup_message *message);
/*
 * Looks for cgroups that were created without the kernel half knowing them, where there may be such. True: there
 * were, and it knows them now; the run is not exact.
 */
bool tracing__find_cgroups(struct tracing *tracing);
/* Marks the threads that are in the watched cgroups now, not only at their next call. -errno, or not negative. */
long tracing__mark_members(struct tracing *tracing);

/* Implements watch_pids() of struct source. */
int tracing__attach(struct tracing *tracing, char **message);
/* Ends the counts of threads that have left the watched cgroups. */
void tracing__follow_members(struct tracing *tracing);
/* units/units.c: the unit of cgroups that find no room, which the programs expect to find. 0 or -errno. */
int units__create_other(const struct forktax_bpf *skeleton);
/* units/copies.c: makes room for copies by call stack, if they are asked for; before the programs are loaded. */
void copies__configure(const struct tracing *tracing, struct forktax_bpf *skeleton);
/* Takes what was copied since the last time. 0 or -errno. */
int copies__take(struct tracing *tracing, struct unit_reading *reading);
/* These implement members of struct source. */
int units__read(struct tracing *tracing, struct unit_reading *reading);
bool units__take(struct tracing *tracing, uint64_t cgroup, struct unit_value *value);
bool units__take_kind(struct tracing *tracing, const struct unit_child_key *key, uint64_t *children);
void units__set_trial(struct tracing *tracing, enum unit_trial trial);
bool units__path(struct tracing *tracing, uint64_t cgroup, char *path, size_t size);
/* Says whether calls are missing. */
void tracing__note_uncounted(struct tracing *tracing);

#endif

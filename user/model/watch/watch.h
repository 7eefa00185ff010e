/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax watch` has counted since it began, by unit: a systemd unit, a container, or a cgroup that is neither.
 * All counts only grow. The difference of two samples is what happened between them.
 */
#ifndef FORKTAX_MODEL_WATCH_WATCH_H
#define FORKTAX_MODEL_WATCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h" /* enum birth, enum fault_class */

/* How much is counted. What the level does not count is 0 and not printed. */
enum watch_level {
	WATCH_CLASSES, /* as totals, and faults by class, copies, pages dirtied by ld.so */
	WATCH_TOTALS, /* forks, execs, ends, calls, faults as one number, and the time of the fork call */
	WATCH_LEVELS,
};

/* What became of a child. */
enum watch_fate { WATCH_EXECED, WATCH_ENDED, WATCH_FATES }; /* ended: without an execve */

/* Buckets of the time of a fork call that have an upper bound (probes/fork_bounds.def); the last bucket has none. */
#define WATCH_FORK_BUCKETS 3

/* How the kernel half meets what happens. */
enum watch_meeting {
	WATCH_COUNTED, /* in a unit */
	WATCH_PASSED, /* in a process that is not watched: it only finds that out */
	WATCH_MEETINGS,
};

struct watch_events {
	uint64_t calls, faults, forks;
	uint64_t writes; /* those of the faults that wrote to a page that was there */
};

/* What the kernel half adds to one of these, in nanoseconds; measured when counting begins. */
struct watch_costs {
	double call;
	double fault;
	double fork; /* with the end of the child */
	double write; /* to a page that is there: so much more than another fault */
};

/* Children of one kind. */
struct watch_group {
	char *parent; /* base name of the parent's executable */
	enum birth birth;
	enum watch_fate fate;
	uint64_t children;
};

/* The memory of the pool with the most workers of a unit, as `forktax workers` reads it. */
struct watch_pool {
	double read_at; /* seconds since the epoch; 0: never read */
	uint64_t workers;
	uint64_t shared_bytes, unshared_bytes, identical_bytes, new_bytes;
};

struct watch_unit {
	char *name; /* label `unit` */
	bool is_gone; /* none of its cgroups exists any more */
	double seen_at; /* when something was counted last: seconds since the epoch */
	uint64_t cgroups; /* that exist and have this label */
	uint64_t processes; /* that run now */

	uint64_t forks; /* processes created by fork, vfork, clone */
	uint64_t execs;
	uint64_t ends;
	uint64_t calls;
	uint64_t faults; /* min_flt + maj_flt of the kernel */
	uint64_t major_faults;
	uint64_t by_birth[BIRTH_COUNT][FAULT_COUNT]; /* of processes born so */
	uint64_t ldso_pages; /* copied or written first by the dynamic linker */
	uint64_t copied_bytes;
	uint64_t fork_calls[WATCH_FORK_BUCKETS + 1]; /* by time; without vfork, which waits for the child */
	uint64_t fork_ns; /* sum of these */
	struct watch_group *groups;
	size_t group_count;
	struct watch_pool pool;
};

struct watch_sample {
	double time; /* seconds since the epoch */
	double began_at; /* when the counts began at 0: seconds since the epoch, too */
	enum watch_level level;
	struct watch_unit *units; /* those that do not fit are summed up in the one with the name "other" */
	size_t unit_count;
	struct watch_unit host; /* what was counted ever, in whatever unit: it has no name, processes, groups or pool */
	uint64_t units_merged; /* units that were put into "other", ever */
	bool is_exact; /* since it began */
	uint64_t lost_events;
	uint64_t doubts; /* other reasons why something may not be counted */
	double own_cpu_seconds; /* of forktax's process */
	double program_seconds; /* estimated for the kernel half: events x measured time of each */
	struct watch_events passed; /* of processes that are not watched, if the level looks at them; not saved */
};

/* What the parts of a watch are called where it is saved, exported and shown. */
extern const char *const watch_level_keys[WATCH_LEVELS];
extern const char *const watch_fate_keys[WATCH_FATES];
/* Of the buckets of watch_unit.fork_calls: seconds; the last one is "+Inf". */
extern const char *const watch_fork_bound_keys[WATCH_FORK_BUCKETS + 1];

/* Frees a sample whose units, groups and texts are owned; NULL is fine. */
void watch_sample__free(struct watch_sample *sample);

#endif

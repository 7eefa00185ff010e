// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/watch/watch.h"

#include "model/run/run_fields.h"
#include "model/words/dictionary.h"

#define FORK_BOUND(ns, seconds) seconds,
const char *const watch_fork_bound_keys[WATCH_FORK_BUCKETS + 1] = {
#include "fork_bounds.def"
	"+Inf",
};
#undef FORK_BOUND

#define FORK_BOUND(ns, seconds) +1
_Static_assert(0
#include "fork_bounds.def"
	== WATCH_FORK_BUCKETS, "a row for each bucket that has a bound");
#undef FORK_BOUND

const char *const watch_level_keys[WATCH_LEVELS] = {
	[WATCH_CLASSES] = "classes",
	[WATCH_TOTALS] = "totals",
};

const char *const watch_fate_keys[WATCH_FATES] = {
	[WATCH_EXECED] = "exec",
	[WATCH_ENDED] = "no_exec",
};

/* What is saved of a watch, a line for each sample: schema forktax-watch/1. */

static const struct words level_words = WORDS_OF(watch_level_keys);
static const struct words fate_words = WORDS_OF(watch_fate_keys);
static const struct words bound_words = WORDS_OF(watch_fork_bound_keys);

static bool counts_classes(const struct scope *scope)
{
	return ((const struct watch_sample *)scope__root(scope))->level == WATCH_CLASSES;
}

static bool has_pool(const struct scope *scope)
{
	return ((const struct watch_unit *)scope->self)->pool.read_at > 0;
}

#define S struct watch_group
static const struct field watch_group_fields[] = {
	TEXT("parent", parent, .note = "name of the command of the parent, as ps shows it"),
	KEY("birth", birth, birth_words),
	KEY("fate", fate, fate_words, .note = "exec: the child has executed a file"),
	COUNT("children", children),
};
static const struct shape watch_group_shape = SHAPE_OF(watch_group);
#undef S

#define S struct watch_pool
static const struct field watch_pool_fields[] = {
	NUMBER("read_at", read_at, .note = "seconds since the epoch"),
	COUNT("workers", workers),
	COUNT("shared_bytes", shared_bytes, .note = "inherited, and shared still"),
	COUNT("unshared_bytes", unshared_bytes, .note = "inherited, and private since: copies"),
	COUNT("identical_bytes", identical_bytes, .note = "of these: byte for byte what another member has"),
	COUNT("new_bytes", new_bytes, .note = "memory where the master has none"),
};
static const struct shape watch_pool_shape = SHAPE_OF(watch_pool,
	.note = "the memory of the pool with the most workers, as forktax workers reads it");
#undef S

#define S struct watch_unit
static const struct field bucket_count = { .kind = FIELD_COUNT };
#define COUNTS_OF_A_UNIT \
	COUNT("forks", forks, .note = "processes created by fork, vfork or clone"), \
	COUNT("execs", execs), \
	COUNT("ends", ends, .note = "of processes"), \
	COUNT("calls", calls), \
	COUNT("faults", faults, .note = "min_flt and maj_flt of the kernel"), \
	COUNT("major_faults", major_faults), \
	MAP("by_birth", by_birth, birth_words, class_counts, .closed = true, .when = counts_classes, \
	    .note = "page faults by birth of the process and class; without faults left out"), \
	COUNT("ldso_pages", ldso_pages, .when = counts_classes, \
	      .note = "that the dynamic linker copied or wrote to first"), \
	COUNT("copied_bytes", copied_bytes, .when = counts_classes), \
	MAP("fork_calls", fork_calls, bound_words, bucket_count, .closed = true, \
	    .note = "fork calls by their time: more than the bound before, up to this one, in seconds; " \
		    "without vfork"), \
	COUNT("fork_ns", fork_ns, .note = "the sum of these times")

static const struct field watch_host_fields[] = { COUNTS_OF_A_UNIT };
static const struct shape watch_host_shape = SHAPE_OF(watch_host,
	.note = "all that was counted since began_at, also of units that are not listed any more");

static const struct field watch_unit_fields[] = {
	TEXT("name", name, .note = "a systemd unit, a container, a cgroup, or other"),
	BOOL("is_gone", is_gone, .note = "none of its cgroups exists any more"),
	NUMBER("seen_at", seen_at, .note = "when something was counted last: seconds since the epoch"),
	COUNT("cgroups", cgroups, .note = "that exist and have this name"),
	COUNT("processes", processes, .note = "that run now"),
	COUNTS_OF_A_UNIT,
	LIST("groups", groups, group_count, watch_group_shape),
	OBJECT("pool", pool, watch_pool_shape, NULLABLE, .has = has_pool),
};
static const struct shape watch_unit_shape = SHAPE_OF(watch_unit, .note = "null where the level does not count it");
#undef S

#define S struct watch_sample
static const struct field watch_sample_fields[] = {
	NUMBER("time", time, .note = "of the sample: seconds since the epoch"),
	NUMBER("began_at", began_at, .note = "when the counts began at 0: seconds since the epoch"),
	KEY("level", level, level_words, .note = "how much is counted"),
	COUNT("units_merged", units_merged, .note = "that were put into the unit other, ever"),
	BOOL("is_exact", is_exact, .note = "nothing was lost since began_at"),
	COUNT("lost_events", lost_events),
	COUNT("doubts", doubts, .note = "warnings that something was not counted, as in a cgroup that was found late"),
	NUMBER("own_cpu_seconds", own_cpu_seconds, .note = "of the process of forktax"),
	NUMBER("program_seconds", program_seconds, .note = "estimated, of its programs in the kernel"),
	OBJECT("host", host, watch_host_shape),
	LIST("units", units, unit_count, watch_unit_shape),
};
const struct shape watch_sample_shape = SHAPE_OF(watch_sample, .document = "forktax-watch/1", .line = true,
	.note = "What forktax watch has counted since began_at, a line each time: schema forktax-watch/1 (explained "
		"in schema-watch.md). All counts only grow");
#undef S

void watch_sample__free(struct watch_sample *sample)
{
	shape__free(&watch_sample_shape, sample);
}

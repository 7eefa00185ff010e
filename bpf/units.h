/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Counting by unit (forktax watch): what threads count goes to the cgroup that their process is in.
 *
 * A thread only adds to its own counts, which are never reset. What reports it (its own end, its move, or the
 * iterator that looks at all tasks) exchanges what has been reported for what has been counted, and adds the difference
 * to the unit. Two may do that at once, in any order: the unit gets what the last exchange says. So that this is
 * everything, an ending thread says so before it reports for the last time, and the iterator looks at that after it has
 * reported: then it does so again.
 */
#pragma once

#include "cgroups.h"
#include "maps.h"

HASH_MAP(units, __u64, struct unit_value, 1 << 14);
HASH_MAP(unit_children, struct unit_child_key, __u64, 1 << 13);

/* The paths that cgroups were created with, for those that are gone when user space looks for them. */
LRU_MAP(unit_paths, __u64, struct unit_path);

MAP_OF(PERCPU_ARRAY, new_path, __u32, struct unit_path, 1, 0);

#define UNIT_OTHER 0ull /* created by user space */

/* By the leader: a process is in one cgroup, as it is where cgroups are watched. */
static __always_inline __u64 unit_of(struct task_struct *task)
{
	struct task_struct *leader = plain(plain(task)->group_leader);
	struct css_set *set;

	if (trial && is_of_trial(leader))
		return UNIT_OWN;
	if (!bpf_core_field_exists(struct task_struct, cgroups))
		return UNIT_OTHER;
	set = leader->cgroups;
	return set && set->dfl_cgrp ? set->dfl_cgrp->kn->id : UNIT_OTHER;
}

static __noinline struct unit_value *find_unit(__u64 id)
{
	__u64 other = UNIT_OTHER;
	struct unit_value *unit = find_or_create(&units, &id, (void)0);

	return unit ? unit : bpf_map_lookup_elem(&units, &other);
}

/* Adds what has been counted since the last report. */
static __always_inline void report(__u64 *sum, __u64 *reported, __u64 counted)
{
	__u64 before = *reported;

	if (before == counted)
		return;
	before = __sync_lock_test_and_set(reported, counted);
	__sync_fetch_and_add(sum, counted - before);
}

static __always_inline bool is_ldso_page(int class)
{
	return class == FAULT_COW_COPY || class == FAULT_FILE_COW || class == FAULT_ZERO_FILL;
}

static __always_inline void report_classes(struct task_value *value, struct unit_value *unit)
{
	__u32 birth = value->share.birth;
	__u64 ldso_pages = 0;

	if (birth >= BIRTH_COUNT)
		return;
	for (int class = 0; class < FAULT_CLASSES; class++) {
		__u64 sum = 0;

		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			sum += value->faults[actor][class];
		report(&unit->by_birth[birth][class], &value->share.faults[class], sum);
		if (is_ldso_page(class))
			ldso_pages += value->faults[ACTOR_LDSO][class];
	}
	report(&unit->ldso_pages, &value->share.ldso_pages, ldso_pages);
}

/* `min`, `maj`: the kernel's counters of the thread. */
__weak int report_thread(struct task_value *value, __u64 min, __u64 maj)
{
	struct unit_value *unit;

	if (!value || !by_unit)
		return 0;
	unit = find_unit(value->share.unit);
	if (!unit)
		return 0;
	report(&unit->calls, &value->share.calls, value->syscalls);
	report(&unit->minor_faults, &value->share.minor_faults, min - value->min_base);
	report(&unit->major_faults, &value->share.major_faults, maj - value->maj_base);
	if (classes)
		report_classes(value, unit);
	return 0;
}

/* What is counted from now on goes to the unit that the task is in. */
static __always_inline void change_unit(struct task_value *value, struct task_struct *task, __u64 min, __u64 maj)
{
	const __u64 unit = unit_of(task);

	if (value->share.unit == unit)
		return;
	report_thread(value, min, maj);
	value->share.unit = unit;
}

static __always_inline void join_unit(struct task_value *value, struct task_struct *task, __u32 birth)
{
	value->share.moves = moves;
	value->share.unit = unit_of(task);
	value->share.birth = birth;
}

/* The current thread, at an event of its own: has its process been moved since the last one? */
__weak int follow_unit(struct task_value *value)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!value || !by_unit)
		return 0;
	value->share.moves = moves;
	change_unit(value, task, task->min_flt, task->maj_flt);
	return 0;
}

#define count_in_unit(id, member)                                                                  \
	({                                                                                         \
		struct unit_value *unit = find_unit(id);                                           \
		if (unit)                                                                          \
			__sync_fetch_and_add(&unit->member, 1);                                    \
	})

/* `task`: the thread that executes a program, else the leader. */
static __always_inline void name_process(struct process_value *process, struct task_struct *task)
{
	for (int i = 0; i < TASK_NAME; i++)
		process->name[i] = task->comm[i];
}

/* The map of kinds is full, so the parent has no name: the entry of its unit always has room. */
static __always_inline void count_unnamed(const struct unit_child_key *key)
{
	struct unit_value *unit = find_unit(key->unit);
	const __u32 fate = key->has_execed ? UNIT_EXECED : UNIT_ENDED;

	for (__u32 birth = 0; unit && birth < BIRTH_COUNT; birth++) /* so the verifier sees the bounds */
		if (birth == key->birth)
			__sync_fetch_and_add(&unit->unnamed[birth][fate], 1);
}

/* What a child has become is known: at its first execve, or its end. */
__weak int count_kind(struct process_value *process, __u32 has_execed)
{
	struct unit_child_key key = {};
	__u64 *children;

	if (!process || process->birth == BIRTH_ATTACHED || process->images)
		return 0;
	key.unit = process->unit;
	key.birth = process->birth;
	key.has_execed = has_execed;
	__builtin_memcpy(key.parent, process->name, sizeof(key.parent));
	children = find_or_create(&unit_children, &key, count_unnamed(&key));
	if (children)
		__sync_fetch_and_add(children, 1);
	return 0;
}

static __always_inline bool is_fork(struct task_struct *task, long nr)
{
	enum flags_place place = may_be_fork(nr) ? flags_place(nr, is_compat(task)) : FLAGS_NOWHERE;

	return place != FLAGS_NOWHERE && place != FLAGS_OF_VFORK;
}

static __always_inline __u32 fork_bucket(__u64 ns)
{
	__u32 bucket = 0;

#define FORK_BOUND(bound, seconds) bucket += ns > bound;
#include "fork_bounds.def"
#undef FORK_BOUND
	return bucket;
}

__weak int end_fork_call(struct task_value *value)
{
	struct unit_value *unit;
	__u64 ns;
	__u32 bucket;

	if (!value || !by_unit || !value->share.fork_began)
		return 0;
	ns = bpf_ktime_get_ns() - value->share.fork_began;
	value->share.fork_began = 0;
	unit = value->share.has_forked ? find_unit(value->share.unit) : NULL;
	bucket = fork_bucket(ns);
	if (!unit || bucket >= FORK_BUCKETS)
		return 0;
	__sync_fetch_and_add(&unit->fork_calls[bucket], 1);
	__sync_fetch_and_add(&unit->fork_ns, ns);
	return 0;
}

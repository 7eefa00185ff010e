/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which processes are counted where cgroups are watched (forktax run --cgroup, -a): those whose first thread is in
 * a watched cgroup of version 2, or in one below it. No pid decides: a cgroup is known by the id of its directory.
 */
#pragma once

#include "maps.h"

/* More levels than that are not looked at: cgroup.max.depth may be anything, systemd makes less than ten. */
#define CGROUP_LEVELS 32

/* By id. User space asks for more room where it watches cgroups. */
HASH_MAP(watched_cgroups, __u64, __u8, 1);
/* Of the processes that no counted process has created: their number by tgid, as in map attached. */
HASH_MAP(members, __u32, __u32, 1 << 16);

/*
 * Processes that were moved into a watched cgroup, by tgid: each of their threads is marked when it enters its next
 * call. (The kernel reports a move with interrupts off, where ld.so could not be located: see solve_puzzles().)
 */
HASH_MAP(joining, __u32, __u8, 1 << 12);

/* All its threads are marked, or it has ended, or has left again. */
static __always_inline void has_joined(struct task_struct *task)
{
	const __u32 tgid = task->tgid;

	if (joiners && !bpf_map_delete_elem(&joining, &tgid))
		__sync_fetch_and_add(&joiners, -1);
}

static __always_inline bool is_in_watched_cgroup(struct task_struct *leader)
{
	struct css_set *set;
	struct cgroup *cgroup;

	if (watches_all)
		return true;
	if (!bpf_core_field_exists(struct task_struct, cgroups))
		return false;
	set = plain(leader)->cgroups;
	cgroup = set ? set->dfl_cgrp : NULL;
	for (int level = 0; level < CGROUP_LEVELS && cgroup; level++) {
		struct cgroup_subsys_state *above = cgroup->self.parent;
		__u64 id = cgroup->kn->id;

		if (bpf_map_lookup_elem(&watched_cgroups, &id))
			return true;
		cgroup = above ? above->cgroup : NULL;
	}
	return false;
}

/* A child of forktax, or a child of that. (An orphan that falls to forktax, as to the init of a container, is none.) */
static __always_inline bool is_of_trial(struct task_struct *leader)
{
	struct task_struct *parent = leader->real_parent;

	return parent->tgid == tracer_tgid || parent->real_parent->tgid == tracer_tgid;
}

/* `tracer` runs an iterator. */
static __always_inline void note_tracer(struct task_struct *tracer)
{
	struct pid *pid = plain(tracer)->thread_pid;

	tracer_level = pid->level;
	tracer_namespace = (__u64)namespace_at(pid, pid->level);
	tracer_tgid = tracer->tgid;
}

/* Tasks outside forktax's own pid namespace have no pid that it could print. */
static __always_inline bool is_visible(struct task_struct *task)
{
	struct pid *pid = plain(task)->thread_pid;

	return pid && pid->level >= tracer_level && (__u64)namespace_at(pid, tracer_level) == tracer_namespace;
}

/* forktax itself is not counted, nor are the kernel's own threads. */
static __always_inline bool is_member(struct task_struct *task)
{
	if (trial && tracer_tgid && task->tgid != tracer_tgid && is_of_trial(plain(plain(task)->group_leader)))
		return trial != TRIAL_PASSED;
	return tracer_tgid && task->tgid != tracer_tgid && !(task->flags & PF_KTHREAD) &&
	       is_visible(task) && is_in_watched_cgroup(plain(task)->group_leader);
}

/* The number of a process for attaching, created as 0. NULL: it is not watched, or there is no room. */
static __always_inline __u32 *find_member(struct task_struct *task)
{
	__u32 tgid = task->tgid;

	return is_member(task) ? find_or_zero(&members, &tgid) : NULL;
}

/* At the end of its process; the number may come again. */
static __always_inline void forget_member(struct task_struct *task)
{
	__u32 tgid = task->tgid;

	bpf_map_delete_elem(&members, &tgid);
}

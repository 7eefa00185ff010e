/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The end of a thread, and of its process with the last one: what it has counted goes to its process, and what
 * that has counted to its group.
 */
#pragma once

#include "call_events.h"
#include "cgroups.h"
#include "path.h"
#include "process.h"
#include "script_lines.h"
#include "tree.h"
#include "units.h"

/* The highest bits, as many as DIST_EXACT has. */
static __always_inline __u64 dist_bucket(__u64 count)
{
	return count & ~(bits_below(count) / (DIST_EXACT + 1));
}

/* Children of a loop are alike, so most have what the first one had: that takes no search. */
__weak int count_metric(struct group_value *group, const struct process_value *process, __u32 metric)
{
	struct dist_key key = { .metric = metric };
	struct usual_value *usual;
	__u64 *children, seen;

	if (!group || !process || metric >= METRIC_CLASS + FAULT_CLASSES)
		return 0;
	key.group = group->index;
	key.value = dist_bucket(process->sums[metric]);
	usual = &group->usual[metric];
	__sync_fetch_and_add(&group->sums[metric], process->sums[metric]);
	seen = usual->value;
	if (!seen)
		seen = __sync_val_compare_and_swap(&usual->value, 0, key.value);
	children = !seen || seen == key.value ? &usual->children : find_or_zero(&distribution, &key);
	if (children)
		__sync_fetch_and_add(children, 1);
	return 0;
}

__weak int count_child(struct group_value *group, const struct process_value *process)
{
	if (!group || !process)
		return 0;
	__sync_fetch_and_add(&group->children, 1);
	if (!group->index) /* roots are not children */
		return 0;
	for (__u32 metric = 0; metric < METRIC_CLASS + FAULT_CLASSES; metric++)
		if (process->sums[metric])
			count_metric(group, process, metric);
	return 0;
}

static __always_inline bool has_group_exit_code(const struct signal_struct *signal)
{
	return signal->flags & SIGNAL_GROUP_EXIT;
}

/*
 * The leader may end long before its process, and then be gone when the last thread ends. Its exit code counts unless
 * the whole process was ended (exit_group, a signal, or since Linux 6.1 its last thread: synchronize_group_exit()).
 */
static __always_inline void note_leaders_exit(struct process_value *process, struct task_struct *task)
{
	if (task->pid == task->tgid)
		process->exit_code = task->exit_code;
}

static __always_inline void count_wpcopy(struct process_value *process, struct task_struct *task)
{
	__u64 copies = 0;

	if (!wpcopy_count(task, &copies))
		return;
	process->wpcopy_known = 1;
	add(&process->wpcopy, copies);
}

__weak int count_current_wpcopy(struct process_value *process)
{
	if (process)
		count_wpcopy(process, bpf_get_current_task_btf());
	return 0;
}

__weak int finish_process(struct process_value *process, struct group_value *group)
{
	__u64 id;

	if (!process)
		return 0;
	if (group)
		count_child(group, process);
	if (process->birth == BIRTH_ROOT)
		root_end_ns = process->end_ns;
	id = process->id;
	if (process->kept) {
		process->finished = 1;
		ring(&(struct message){ .kind = MESSAGE_ENDED, .pid = process->pid, .id = id }, BPF_RB_NO_WAKEUP);
	} else {
		bpf_map_delete_elem(&processes, &id);
	}
	__sync_fetch_and_add(&ended, 1);
	return 0;
}

static __always_inline void note_end(struct process_value *process, __u64 ns)
{
	if (ns > process->end_ns)
		process->end_ns = ns;
	if (anatomy)
		record_end(process);
}

/* The thread's counts so far go to its process; what it still counts will be added. */
static __always_inline void fold(struct task_value *value, struct process_value *process, struct task_struct *task)
{
	if (by_unit) {
		report_thread(value, minor_faults(value, task), major_faults(value, task));
		return;
	}
	flush_calls(value, process, false);
	flush_image(value, process, NULL, minor_faults(value, task), major_faults(value, task));
}

/* Nothing is kept of it, so it takes no room. */
static __always_inline void end_in_unit(struct task_value *value, struct process_value *process,
					struct task_struct *task)
{
	__u64 id = process->id;

	forget_member(task); /* without cgroups that of a trial */
	if (watches_cgroups)
		has_joined(task);
	if (!process->cut) {
		count_kind(process, false);
		count_in_unit(value->share.unit, ends);
	}
	bpf_map_delete_elem(&processes, &id);
	__sync_fetch_and_add(process->cut ? &collected : &ended, 1);
}

/*
 * The clock that is divided among the threads stops. It may have gone on a little since the command has ended: then
 * that ends there, if its last thread still runs. An understudy tells of the end later (drift.h): then the shares are
 * more than the time of the command, and there is no bill. Returns when that was. Global to be verified once.
 */
__weak __u64 end_clock(__u64 task, __u64 ended_ns)
{
	__u64 stopped_ns = end_shares(ended_ns);

	return find_tree_thread(task) ? stopped_ns : ended_ns;
}

/* (Not inlined: on Linux 6.1 the exit would need too much stack beside what records faults.) */
static __noinline void end_process(struct task_value *value, struct process_value *process, struct task_struct *task)
{
	struct group_value *group = end_image(value, task, process, 0, minor_faults(value, task),
					      major_faults(value, task));

	if (records_calls())
		record_process_end(process->id, process->group);
	if (flow)
		send_flow_life(FLOW_END, process);
	if (watches_cgroups) {
		forget_member(task);
		has_joined(task);
	}
	if (lines_wanted)
		count_script_line(process);
	if (!process->cut) {
		if (tree_wanted && process->birth == BIRTH_ROOT)
			process->end_ns = end_clock(value->address, process->end_ns);
		if (path_wanted && process->birth == BIRTH_ROOT)
			end_path(value->address, process->end_ns);
		if (has_group_exit_code(plain(task)->signal))
			process->exit_code = plain(task)->signal->group_exit_code;
		finish_process(process, group);
		return;
	}
	process->kept = 1;
	if (group)
		__sync_fetch_and_add(&group->unfinished, 1);
	__sync_fetch_and_add(&collected, 1);
}

/*
 * Counts a thread of the process down. Where attaching holds the process, because it may have threads that are not
 * marked yet, the last one gives that back: then no thread of it is left. Several threads may see that: one that is
 * marked as it ends (join_ending) may have found the process held just before that was given back. One is the last.
 */
static __always_inline bool is_last(struct process_value *process, struct task_struct *task)
{
	__u64 left = __sync_fetch_and_add(&process->live_threads, -1) - 1;

	if (left == 1 && !plain(task)->signal->live.counter &&
	    __sync_val_compare_and_swap(&process->seeding, 1, 0) == 1)
		left = __sync_fetch_and_add(&process->live_threads, -1) - 1;
	if (left)
		return false;
	process->seeding = 0;
	return !__sync_val_compare_and_swap(&process->over, 0, 1);
}

/*
 * The last thread sums the process up. All others fold before they leave: threads of one
 * exit_group end on several CPUs at once.
 */
static __always_inline void leave_process(struct task_value *value, struct process_value *process,
					  struct task_struct *task)
{
	if (value->cut)
		process->cut = 1;
	if (by_unit)
		__sync_fetch_and_add(&value->share.ended, 1); /* a barrier: see units.h */
	if (by_unit || process->live_threads > 1)
		fold(value, process, task);
	/* Its process may have been moved since its last call. */
	if (by_unit && !value->parted && value->share.unit != UNIT_OWN)
		value->share.unit = unit_of(task);
	if (!is_last(process, task))
		return;
	if (by_unit)
		end_in_unit(value, process, task);
	else
		end_process(value, process, task);
}

/* The end of a thread whose faults are up to date. */
static __always_inline void end_settled(struct task_value *value, struct task_struct *task)
{
	struct process_value *process = find_process(value->process);

	if (process) {
		count_wpcopy(process, task);
		leave_process(value, process, task);
	}
	forget_task(value, task);
}

/* The end of a thread that is not the current one. */
static __always_inline void end_other(struct task_value *value, struct task_struct *task)
{
	settle_other(value, task);
	end_settled(value, task);
}

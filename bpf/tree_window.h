/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The clock of threads that are attached to: from the first of them until user space says so. No critical path leads to
 * its end. When a thread is woken, or gets a CPU, the idle time until then gets its row. If a thread was ready before,
 * all waited for a CPU. Else all slept, and the time belongs to the call of the thread that is woken.
 */
#pragma once

#include "path_accounts.h"
#include "tree.h"

/* What comes later than its end is not counted. */
static __always_inline bool window_is_over(__u64 now)
{
	return attaches && tree_stop_ns && now >= tree_stop_ns;
}

/* A thread is met in the middle of its life. */
static __always_inline void attach_tree_thread(struct task_struct *task, __u32 exe)
{
	__u64 now = bpf_ktime_get_ns();
	struct tree_thread *thread;

	if (begin_window(now))
		tree_begun_ns = now;
	thread = find_tree_thread((__u64)task) ? NULL : create_tree_thread((__u64)task);
	if (!thread) /* or it is back */
		return;
	__sync_fetch_and_add(&seat_of(task)->crowd, 1);
	thread->begun_ns = thread->accounts.part_ns = now;
	thread->accounts.part = thread->base = TREE_WORK;
	thread->exe = exe;
	thread->executed = thread->attached = 1;
	thread->is_first = task->pid == task->tgid;
}

/*
 * All are attached to. Who has run all the time, and still does, has not been seen to be put on its CPU. (It may leave
 * that at this moment: then the count is taken back.)
 */
static __always_inline void meet_running(struct task_struct *task)
{
	struct tree_thread *thread = find_tree_thread((__u64)task);
	__u64 now = bpf_ktime_get_ns();

	if (!thread || thread->has_sum || !has_cpu(task) || __sync_val_compare_and_swap(&thread->counted, 0, 1))
		return;
	thread->accounts.each = thread->accounts.shared = share_late(thread->begun_ns, now);
	if (thread->has_sum && __sync_val_compare_and_swap(&thread->counted, 1, 0) == 1)
		share_among(-1, now);
}

/* The clock has been moved on, and `idle` is all that was idle: `task` is woken, or got a CPU. */
static __always_inline void assign_idle(struct tree_thread *thread, struct task_struct *task, __u64 idle)
{
	struct tree_call_key key = { .exe = thread->exe, .executed = thread->executed, .part = TREE_COUNT, .nr = -1 };
	struct task_value *value = look_up_task(task);
	__u64 assigned = tree_assigned_ns;
	struct tree_call_value *row;

	if (idle <= assigned || __sync_val_compare_and_swap(&tree_assigned_ns, assigned, idle) != assigned)
		return;
	if (tree_ready || thread->path.state == PATH_RUNS) { /* not seen to leave a CPU: ready from the first */
		__sync_fetch_and_add(&tree_ready_ns, idle - assigned);
		return;
	}
	if (value && value->entered) {
		key.nr = value->entered_key.nr;
		key.abi = value->entered_key.abi;
	} else if (!(task->flags & (PF_KTHREAD | PF_IO_WORKER))) { /* it entered before */
		key.nr = call_of((struct pt_regs *)bpf_task_pt_regs(task));
	}
	row = find_or_create(&tree_calls, &key, __sync_fetch_and_add(&tree_left_out, 1));
	if (row)
		add(&row->share, (idle - assigned) << SHARE_BITS);
}

/* These three: `thread` is put on a CPU, leaves it, or is woken. The first two: the clock has been moved on. */
static __always_inline void enter_in_window(struct tree_thread *thread, struct task_struct *task, __u64 idle)
{
	assign_idle(thread, task, idle);
	set_tree_state(thread, PATH_RUNS);
	if (!thread->has_sum)
		thread->sum_before = thread->accounts.slice_sum = task->se.sum_exec_runtime;
	thread->has_sum = 1;
}

static __always_inline void leave_in_window(struct tree_thread *thread, struct task_struct *task, bool is_over)
{
	const bool ready = !is_over && (thread->path.waker || !is_asleep(task));

	set_tree_state(thread, ready ? PATH_READY : PATH_ASLEEP);
	thread->path.waker = PATH_NOBODY;
	if (!ready)
		tree_last_sleeper = is_over ? 0 : (__u64)task;
}

static __always_inline void wake_in_window(struct tree_thread *thread, struct task_struct *task, __u64 now)
{
	__u64 idle;

	if (thread->counted) { /* before it has left its CPU */
		thread->path.waker = PATH_BY_OTHERS;
	} else if (!window_is_over(now) && thread->path.state != PATH_READY) {
		thread->path.state = PATH_ASLEEP;
		share_and_idle(0, now, &idle);
		assign_idle(thread, task, idle);
		set_tree_state(thread, PATH_READY);
	}
}

/* A thread that still runs, or waits. */
static long fold_attached(void *map, __u64 *address, struct tree_thread *thread, void *context)
{
	const __u64 now = thread->off_ns ?: tree_stopped_ns;

	if (thread->counted && !thread->off_ns) /* perhaps all the time */
		keep_running(&thread->accounts, thread->begun_ns);
	if (thread->counted)
		thread->accounts.each = each_so_far();
	change_part(&thread->accounts, thread->accounts.part, now);
	if (thread->has_sum)
		__sync_fetch_and_add(&tree_ns, thread->accounts.slice_sum - thread->sum_before);
	__sync_fetch_and_add(&tree_ns, thread->accounts.slice_ns);
	fold_tree_thread(thread, 0);
	thread->collected = 1;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Marks threads whose counting begins in the middle of their lives.
 */
#pragma once

#include "ending.h"
#include "tree_window.h"

#define BEING_CREATED ~0u /* in map attached or members: another thread is creating the process now */

static __always_inline void begin_attached(struct process_value *process, struct task_struct *task,
					   bool has_interp, __u64 id, bool held)
{
	process->id = id;
	process->birth = BIRTH_ATTACHED;
	process->kind = IMAGE_ATTACHED;
	process->kept = !by_unit;
	process->live_threads = held; /* no thread's: see seeding */
	process->seeding = held;
	process->recorded = anatomy;
	process->start_ns = process->image_ns = bpf_ktime_get_ns();
	set_pid(process, plain(task)->group_leader->thread_pid);
	if (by_unit)
		name_process(process, plain(task)->group_leader);
	else
		process->exe = note_exe(task, process->pid, NULL, has_interp);
	__sync_fetch_and_add(&attached_processes, 1);
	if (watches_cgroups && (anatomy || records_calls()))
		ring(&(struct message){ .kind = MESSAGE_ATTACHED, .pid = process->pid, .id = id }, BPF_RB_FORCE_WAKEUP);
	if (flow)
		send_flow_life(FLOW_ATTACHED, process);
}

static __always_inline struct process_value *create_attached(struct task_struct *task, struct task_value *value,
							      __u32 *number, bool held)
{
	__u64 id = next_process();
	struct process_value *process = find_or_zero(&processes, &id);

	if (process)
		begin_attached(process, task, value->ldso_start != 0, id, held);
	*number = id;
	return process;
}

/*
 * A thread that is ending may have passed its last event just before it was marked; then nobody
 * else would count it down.
 */
static __always_inline void unmark_ending(struct task_value *value, struct process_value *process,
					  struct task_struct *task)
{
	/* Atomic, so that the flag is read after others can see the mark. */
	__sync_fetch_and_add(&process->threads, 1);
	if (!(task->flags & PF_EXITING) || !claim(value))
		return;
	__sync_fetch_and_add(&process->threads, -1);
	if (__sync_fetch_and_add(&process->live_threads, -1) == 1)
		process->seeding = 1; /* nobody sees it end: user space ends it */
	forget_task(value, task);
}

/* If it sleeps in a call now, it is that call whose entry was not seen. (Before a fault there is -1.) */
static __always_inline bool waits_in_call(struct task_struct *task)
{
	return task->__state & TASK_INTERRUPTIBLE && call_of((struct pt_regs *)bpf_task_pt_regs(task)) >= 0;
}

/* It is marked when user space looks again. */
static __always_inline bool leave_out(struct task_value *value, struct task_struct *task)
{
	forget_task(value, task);
	__sync_fetch_and_add(&left_out, 1);
	return false;
}

/*
 * Makes the thread one of `process`, in the middle of its life. What the kernel has counted of it so far is not ours:
 * its faults are subtracted at its end, and its copies now, because its end adds the kernel's sum.
 */
static __always_inline void add_to_process(struct task_value *value, struct task_struct *task,
					   struct process_value *process)
{
	__u64 copies = 0;

	__sync_fetch_and_add(&process->live_threads, 1);
	if (wpcopy_count(task, &copies))
		add(&process->wpcopy, -copies);
	value->mm = (__u64)plain(task)->mm;
	value->min_base = task->min_flt;
	value->maj_base = task->maj_flt;
	value->process = process->id;
	if (by_unit)
		join_unit(value, task, process->birth);
}

/* How a thread is met whose counting begins. */
enum meeting {
	MET_RUNNING, /* more threads of the process may be met: it is held until all are marked */
	MET_ALONE, /* as the only thread of its process */
	MET_AT_BIRTH, /* the same, in the call that has created it */
};

/*
 * Marks a thread: its counts start now. `number`: of its process, as in map attached. False: it is marked already,
 * or not yet, or never. While a process changes its mappings, or copies them in a fork, its dynamic linker cannot
 * be located: its threads are left out if they may wait for the next pass; else their next call or fork locates it.
 */
static __always_inline bool mark(struct task_struct *task, __u32 *number, enum meeting meeting, bool may_wait)
{
	struct process_value *process;
	struct task_value *value;
	__u32 before;

	if (task->flags & PF_EXITING || reserve_task(task) == -EEXIST)
		return false;
	value = create_task(task);
	if (!value) {
		lose(LOSS_STORAGE_FAILURES);
		return false;
	}
	if ((classes || !by_unit) && find_ldso(value, task) && may_wait)
		return leave_out(value, task);
	before = __sync_val_compare_and_swap(number, 0, BEING_CREATED);
	if (before == BEING_CREATED)
		return leave_out(value, task);
	process = before ? find_process(before) : create_attached(task, value, number, meeting == MET_RUNNING);
	if (!process) {
		lose(LOSS_STORAGE_FAILURES);
		return false;
	}
	add_to_process(value, task, process);
	value->unentered = 1; /* it may be inside a call that we did not see it enter */
	enter_exec(value, task); /* ... which may be an execve: its new image will begin here */
	if (!value->mm) { /* the kernel has created it, to execute a program */
		value->first_exec = 1;
		process->kind = IMAGE_EXEC;
	}
	record_thread(value, task);
	if (tree_wanted)
		attach_tree_thread(task, process->exe);
	value->ready = 1;
	value->in_call = meeting == MET_AT_BIRTH || waits_in_call(task);
	unmark_ending(value, process, task);
	return true;
}

static __always_inline enum meeting meeting_of(struct task_struct *task)
{
	return plain(task)->signal->nr_threads == 1 ? MET_ALONE : MET_RUNNING;
}

static __always_inline void let_join(struct task_struct *task)
{
	const __u32 tgid = task->tgid;
	const __u8 yes = 1;
	int err = bpf_map_update_elem(&joining, &tgid, &yes, BPF_NOEXIST);

	if (!err)
		__sync_fetch_and_add(&joiners, 1);
	else if (err != -EEXIST)
		lose(LOSS_MAP_FULL);
}

/* A thread has been marked: if it was the last one of its process, that is held no longer. */
static __always_inline void give_back(struct task_struct *task, __u64 number)
{
	struct process_value *process = find_process(number);

	if (!process || (int)(process->live_threads - process->seeding) < plain(task)->signal->nr_threads)
		return;
	has_joined(task);
	if (__sync_val_compare_and_swap(&process->seeding, 1, 0) == 1)
		__sync_fetch_and_add(&process->live_threads, -1);
}

/*
 * The current thread, which is not marked, or had left the watched cgroups, enters a call. Its call is not counted if
 * another CPU is creating its process at this moment, or takes what it counted before it left.
 */
__weak int join_current(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const __u32 tgid = task->tgid;
	struct task_value *left;
	__u32 *number;

	if (!watches_cgroups || !bpf_map_lookup_elem(&joining, &tgid))
		return 0;
	left = look_up_task(task);
	if (left && left->parted && claim(left)) {
		cut_off(left, task);
		if (classes && left->window.open)
			close_own(left);
		end_other(left, task);
	}
	number = find_member(task);
	if (!number)
		has_joined(task);
	else if (mark(task, number, meeting_of(task), false))
		give_back(task, *number);
	else
		__sync_fetch_and_add(&uncounted_calls, 1);
	return 0;
}

/*
 * A thread that is not marked ends. If its process is held, because not all of its threads were marked, it may be the
 * last one, and nobody else would end the process: it is counted from here to its end. NULL: no.
 */
static __always_inline struct task_value *join_ending(struct task_struct *task)
{
	const __u32 tgid = task->tgid;
	const __u32 *number = bpf_map_lookup_elem(&members, &tgid);
	struct process_value *process = number ? find_process(*number) : NULL;
	struct task_value *value;

	if (!process || !process->seeding || reserve_task(task) == -EEXIST)
		return NULL;
	value = create_task(task);
	if (!value)
		return NULL;
	__sync_fetch_and_add(&process->threads, 1);
	add_to_process(value, task, process);
	value->ready = 1;
	return value;
}

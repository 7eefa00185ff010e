/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The beginning of a page fault, as faults_MACHINE.bpf.c reports it: opens the window (window.h). And that of a thread,
 * which may be seen by its first one.
 */
#pragma once

#include "births.h"
#include "tree.h"
#include "window.h"

/*
 * When a new thread is in user mode for the first time. On x86-64 it leaves the call that has created it, by a sys_exit
 * of its own. On arm64 it has no such event (ret_from_fork() in arch/arm64/kernel/entry.S): there it is first seen at
 * its first page fault of user mode, or at its first call.
 */
__weak int begin_life(struct task_value *value)
{
	if (!value)
		return 0;
	value->newborn = 0;
	if (anatomy && value->recorded)
		record_start(value);
	if (tree_wanted)
		leave_tree_call(value, 0, NO_TREE_CALL);
	return 0;
}

__weak int open_window(struct task_value *value, __u64 address, __u32 evidence, __u32 actor, __u64 ip)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = plain(task)->mm;
	struct window *window;

	if (!value || !mm)
		return 0;
	window = &value->window;
	if (window->open)
		close_current(value);
	__builtin_memset(window, 0, sizeof(*window));
	window->open = 1;
	window->address = address;
	window->evidence = evidence;
	window->actor = actor;
	window->base = fault_count(task);
	window->next_image = value->mm != (__u64)mm;
	mappings_version(mm, &window->version);
	if (is_known_beforehand(value))
		know_current_vma(&value->vma, address);
	window->numa_hints = numa_hints(task);
	window->waits = task->nvcsw;
	if (mm->mm_users.counter > 1) {
		window->begin_ns = bpf_ktime_get_ns();
		if (may_be_write(evidence))
			note_write(value->mm, address);
	}
	if (flow || (anatomy && value->recorded)) {
		window->ip = ip;
		window->begin_ns = bpf_ktime_get_ns();
		if (stacks_wanted && !window->next_image)
			window->stack = stack_of_fault(value, actor);
	}
	if (rss_is_cached()) {
		for (int i = 0; i < 4; i++)
			window->rss_base[i] = task->rss_stat.count[i];
		window->rss_events = task->rss_stat.events;
	}
	if (value->seated) {
		struct seat *seat = seat_of(task);

		seat->effects = window->effects;
		seat->base = window->base;
	}
	return 0;
}

static __always_inline struct task_value *find_classified(struct task_struct *task, int rank)
{
	struct task_value *value = find_task(task);

	if (!value)
		pass(PASSED_FAULTS, rank);
	return value;
}

/* The understudies open the same window again, which changes nothing. `value`: of find_classified(). */
static __always_inline void user_fault(struct task_value *value, __u64 address, __u64 ip, __u32 evidence)
{
	if (!BIRTH_HAS_EXIT && value->newborn)
		begin_life(value);
	open_window(value, address, evidence,
		    ip >= value->ldso_start && ip < value->ldso_end ? ACTOR_LDSO : ACTOR_PROGRAM, ip);
	if (tree_wanted && value->linking && !(ip >= value->ldso_start && ip < value->ldso_end))
		note_tree_fault(value, address, ip);
}

/*
 * A fault cannot complete while page faults are disabled: for example when a profiler reads the
 * user's stack in an interrupt, perhaps in the middle of another fault. The kernel either tries the
 * access again, which is an event of its own, or, for a futex, handles the fault without one
 * (fixup_user_fault()): then this is its event. An exit may clear robust futexes.
 */
static __always_inline bool may_be_futex(const struct task_value *value, const struct task_struct *task)
{
	return task->flags & PF_EXITING || is_futex(&value->entered_key);
}

static __always_inline void kernel_fault(struct task_value *value, struct task_struct *task, __u64 address,
					 __u32 evidence)
{
	if (task->pagefault_disabled && (window__live(&value->window, task) || !may_be_futex(value, task)))
		return;
	open_window(value, address, evidence, ACTOR_KERNEL, 0);
}

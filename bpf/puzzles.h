/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Counts faults by class, also those whose class only their mapping can tell (struct puzzle): it is asked once, for the
 * count and for the record of the fault.
 */
#pragma once

#include "recorder.h"
#include "vma.h"

__weak int count_fault(struct task_value *value, __u32 class, __u32 actor, __u32 next_image)
{
	if (!value || class >= FAULT_COUNT || actor >= ACTOR_COUNT)
		return 0; /* for the verifier */
	if (next_image && !by_unit) {
		struct process_value *process = find_process(value->process);

		if (process)
			add(&process->next_faults[class], 1);
		return 0;
	}
	value->faults[actor][class]++;
	if (value->in_exec)
		value->exec_old++;
	return 0;
}

/* A fault that waits has the class with which it was counted. */
__weak int record_class(__u32 waiting, __u32 class)
{
	struct recorder *recorder = find_recorder(bpf_get_current_task_btf());
	const __u32 i = waiting - 1;

	if (recorder && i < WAITING)
		recorder->waiting[i].class = class;
	return 0;
}

/*
 * Counts the fault, and returns its class. Asked twice, the mapping may have changed in between.
 * To be called with interrupts on. With them off, as in the page-fault tracepoints, bpf_find_vma
 * must raise an interrupt to give the lock back, which costs microseconds in a virtual machine.
 */
__weak int solve_puzzle(struct task_value *value, __u32 i)
{
	struct puzzle *puzzle;
	__u32 class;

	if (!value)
		return FAULT_OTHER;
	if (i == LAST_PUZZLE)
		i = --value->puzzle_count;
	if (i >= PUZZLES)
		return FAULT_OTHER;
	puzzle = &value->puzzles[i];
	class = solve(&value->vma, puzzle->address, puzzle->evidence, puzzle->version);
	count_fault(value, class, puzzle->actor, puzzle->next_image);
	if (anatomy && value->recorded)
		record_class(puzzle->waiting, class);
	return class;
}

static __always_inline void solve_puzzles(struct task_value *value)
{
	for (__u32 i = 0; i < PUZZLES && i < value->puzzle_count; i++)
		solve_puzzle(value, i);
	value->puzzle_count = 0;
}

/* A fault that waits gets the class of the last puzzle. */
__weak int wait_for_last(struct task_value *value, __u32 waiting)
{
	const __u32 i = value ? value->puzzle_count - 1 : PUZZLES;

	if (value && i < PUZZLES)
		value->puzzles[i].waiting = waiting;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Calls that are denied by a filter which another thread has installed for all (seccomp(2), TSYNC).
 *
 * Exits of calls that succeed are not looked at, so a thread seems to be inside its last call until
 * its next event. If that is an exit, it ends this call, or one that the new filter has denied and
 * that has no entry. The number of the call tells them apart, unless it is the same. So from the
 * first seccomp(2) of the run on every exit is looked at, and before that call is let in it is noted
 * for each thread whether it is known to be inside its last one. Of a thread that runs it is not; if
 * the next event of such a thread is such an exit, that is counted as a loss. Threads that are born
 * later leave the call that made them first, and that exit is seen.
 */
#ifndef FORKTAX_DENIALS_H
#define FORKTAX_DENIALS_H

#include "maps.h"

/* Are its exits looked at already, because it is filtered or traced? */
static __always_inline bool is_watched(struct task_struct *task)
{
	unsigned int tracer = 0;
	int mode = 0;

	bpf_core_read(&tracer, sizeof(tracer), &task->ptrace);
	if (bpf_core_field_exists(struct task_struct, seccomp))
		bpf_core_read(&mode, sizeof(mode), &task->seccomp.mode);
	return tracer || mode;
}

/*
 * Who sleeps until something happens is in a call, but for faults that userfaultfd solves. (Faults of
 * all kinds sleep uninterruptibly, and who is stopped has left its call.)
 */
static __always_inline bool sleeps_in_call(struct task_struct *task, const struct window *window)
{
	unsigned int state = 0;

	bpf_core_read(&state, sizeof(state), &task->__state);
	return state & TASK_INTERRUPTIBLE && !(window->open && window->actor != ACTOR_KERNEL);
}

static long note_call(const void *map, const void *key, struct task_value *value, void *unused)
{
	struct task_struct *task = (struct task_struct *)value->address;
	__u64 call = value->syscalls;

	value->noted_known = may_probe &&
			     (is_watched(task) || sleeps_in_call(task, &value->window)) &&
			     value->syscalls == call;
	value->noted_call = call;
	return 0;
}

/* At the entry of seccomp(2). Global to be verified once. */
__weak int watch_exits(void)
{
	/* A full barrier: who leaves a call meanwhile sees this, or is not seen asleep. */
	if (!__sync_val_compare_and_swap(&exits_watched, 0, 1))
		bpf_for_each_map_elem(&tasks, note_call, NULL, 0);
	return 0;
}

/* Of an exit with the number of the call entered last: may it be that of a denied call? */
static __always_inline bool is_unsure(const struct task_value *value, struct task_struct *task)
{
	return exits_watched && value->noted_call == value->syscalls && !value->noted_known &&
	       may_be_denied(task);
}

/*
 * Of the first exit of a thread, if it is not known to end the call that the thread was in when its counting
 * began: may it be that of a denied call?
 */
static __always_inline bool is_unsure_first(const struct task_value *value, struct task_struct *task)
{
	return is_unsure(value, task) || (!value->in_call && may_be_denied(task));
}

#endif

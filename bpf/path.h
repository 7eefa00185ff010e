/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The critical path of a command (docs/use/critical-path.md): which thread has created or woken which, as
 * records in a ring buffer. User space follows them while the command runs. Who wakes is the current task of
 * tracepoint sched_waking, unless it is in an interrupt.
 */
#pragma once

#include "tree.h"

const volatile __u32 interrupt_bits = 0; /* of preempt_count: in an interrupt; 0: not known */

RING(path_events, 4096);

/* The time, and how much of it was idle so far: where the clock of the shares has just been moved on. */
static __always_inline struct path_time path_time(__u64 now)
{
	return (struct path_time){ now, idle_so_far() };
}

/* `task` runs, as `thread`: usually that is known. */
static __always_inline void note_path_thread_runs(struct path_thread *thread, struct task_struct *task, __u64 now)
{
	if (thread->state != PATH_RUNS)
		path_thread_runs(thread, path_time(runs_since(task, now)));
}

static __always_inline struct path_thread *find_current_path_thread(__u64 now)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct tree_thread *thread = find_tree_thread((__u64)current);

	if (!thread)
		return NULL;
	note_path_thread_runs(&thread->path, current, now);
	return &thread->path;
}

#define path_flags() ring_flags(&path_events, path_wakeup)

/* The waits go with the record. (From Linux 7.0 on sched_switch may add to them meanwhile.) */
static __always_inline void fill_path_event(struct path_event *event, enum path_event_kind kind,
					    struct path_thread *thread, __u64 ns)
{
	event->kind = kind;
	event->exe = 0;
	event->ns = ns;
	event->thread = thread->number;
	event->other = 0;
	event->call_nr = -1;
	event->call_abi = 0;
	for (int i = 0; i < PATH_WAITS; i++) {
		__u64 ns = thread->wall.waits[i], idle = thread->idle.waits[i];

		event->waits[i] = ns;
		event->idle[i] = idle;
		add(&thread->wall.waits[i], -ns);
		add(&thread->idle.waits[i], -idle);
	}
}

static __always_inline void send_path_event(enum path_event_kind kind, struct path_thread *thread, __u64 other,
					    __u32 exe, __u64 ns)
{
	struct path_event *event = reserve(&path_events, sizeof(*event), path_lost);

	if (!event)
		return;
	fill_path_event(event, kind, thread, ns);
	event->other = other;
	event->exe = exe;
	bpf_ringbuf_submit(event, path_flags());
}

static __always_inline void send_path_birth(enum path_event_kind kind, struct path_thread *thread, __u64 other,
					    const struct process_value *process, __u64 ns)
{
	struct path_birth *birth = reserve(&path_events, sizeof(*birth), path_lost);

	if (!birth)
		return;
	fill_path_event(&birth->event, kind, thread, ns);
	birth->event.other = other;
	birth->event.exe = process->exe;
	birth->process = process->id;
	birth->source = process->certainty == LINE_EXACT || process->certainty == LINE_IN_TRAP ? process->source : 0;
	birth->function = process->function;
	birth->line = process->line;
	birth->pid = process->pid;
	birth->language = process->language;
	birth->zero = 0;
	bpf_ringbuf_submit(birth, path_flags());
}

/* The line that created a process is known only now. Global to be verified once. */
__weak int send_path_place(__u64 process, __u64 source, __u64 function, __u32 line)
{
	struct path_birth *place = reserve(&path_events, sizeof(*place), path_lost);

	if (!place)
		return 0;
	__builtin_memset(place, 0, sizeof(*place));
	place->event.kind = PATH_PLACES;
	place->process = process;
	place->source = source;
	place->function = function;
	place->line = line;
	place->language = LANGUAGE_MAKE;
	bpf_ringbuf_submit(place, path_flags());
	return 0;
}

/* The command enters its execve. Global to be verified once. */
__weak int begin_path(struct process_value *process)
{
	struct tree_thread *thread = find_tree_thread((__u64)bpf_get_current_task_btf());

	if (process && thread)
		send_path_birth(PATH_BEGINS, &thread->path, thread->path.number, process, process->start_ns);
	return 0;
}

/* The current task has created task `child`, which has not run yet, of process `id`. Global to be verified once. */
__weak int begin_path_thread(__u64 child, __u64 id)
{
	struct process_value *process = find_process(id);
	__u64 now = bpf_ktime_get_ns();
	struct path_thread *creator = find_current_path_thread(now);
	struct tree_thread *thread = find_tree_thread(child);

	if (!creator || !process || !thread)
		return 0;
	path_thread_leaves(&thread->path, false, path_time(now));
	send_path_birth(PATH_CREATES, creator, thread->path.number, process, now);
	return 0;
}

/* The current thread has executed a program. Global to be verified once; its stack is not beside what ends images. */
__weak int exec_path_thread(__u32 exe)
{
	__u64 now = bpf_ktime_get_ns();
	struct path_thread *thread = find_current_path_thread(now);

	if (thread)
		send_path_event(PATH_EXECUTES, thread, 0, exe, now);
	return 0;
}

/* The CPU goes from one thread to another (NULL: not of the tree). The clock of the shares has been moved on before. */
static __always_inline void note_path_switch(struct tree_thread *leaving, struct tree_thread *entering,
					     struct task_struct *prev, __u64 now)
{
	if (entering)
		path_thread_enters(&entering->path, path_time(now));
	if (!leaving)
		return;
	note_path_thread_runs(&leaving->path, prev, now);
	if (prev->__state & TASK_DEAD)
		send_path_event(PATH_ENDS, &leaving->path, 0, 0, now);
	else
		path_thread_leaves(&leaving->path, is_asleep(prev), path_time(now));
}

/*
 * `task` was the last thread of the command, and ended at `ns`. Where an understudy says so (drift.h), it has run for
 * the last time before. Global to be verified once.
 */
__weak int end_path(__u64 task, __u64 ns)
{
	const struct path_event late = { .kind = PATH_COMMAND_ENDS, .ns = ns };
	struct tree_thread *thread = find_tree_thread(task);

	if (thread)
		send_path_event(PATH_COMMAND_ENDS, &thread->path, 0, 0, ns);
	else
		output(&path_events, (void *)&late, sizeof(late), path_flags(), path_lost);
	return 0;
}

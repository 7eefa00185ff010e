/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Since when a thread runs, by the kernel's own account. Usually sched_switch has said so, but a kernel may keep some
 * thread out of all tracepoints (seen in a guest, of the threads of its agent): a switch from such a thread to one of
 * ours is not seen.
 */
#ifndef FORKTAX_UNSEEN_SWITCH_H
#define FORKTAX_UNSEEN_SWITCH_H

#include "maps.h"

__u64 sched_clock_behind; /* the clock of bpf_ktime_get_ns(), minus that of run queues; 0: not known */

/* At sched_switch, where the clock of the run queue has just been set, and is still that of the CPU of `prev`. */
static __always_inline void compare_clocks(struct task_struct *prev, __u64 now)
{
	const struct cfs_rq *queue;

	if (!bpf_core_field_exists(struct sched_entity, cfs_rq))
		return;
	queue = plain(prev)->se.cfs_rq;
	if (queue)
		sched_clock_behind = now - queue->rq->clock;
}

/* When `task`, which runs, was put on its CPU. If that is not known: `now`. */
static __always_inline __u64 runs_since(struct task_struct *task, __u64 now)
{
	__u64 then;

	if (!sched_clock_behind || !bpf_core_field_exists(struct sched_info, last_arrival))
		return now;
	then = plain(task)->sched_info.last_arrival + sched_clock_behind;
	return then < now ? then : now;
}

#endif

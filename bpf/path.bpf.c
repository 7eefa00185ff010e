// SPDX-License-Identifier: GPL-2.0-only
/* Who wakes the threads of a tree: see path.h. No thread is preempted inside this program. */
#include "path.h"

static __always_inline void send_wake(struct path_thread *waker, struct path_thread *thread, struct task_struct *task,
				      __u64 now)
{
	const struct task_value *value = look_up_task(task);
	struct path_event *event = reserve(&path_events, sizeof(*event), path_lost);

	if (!event)
		return;
	fill_path_event(event, PATH_WAKES, waker, now);
	event->other = thread->number;
	if (value && value->entered) {
		event->call_nr = value->entered_key.nr;
		event->call_abi = value->entered_key.abi;
	}
	bpf_ringbuf_submit(event, path_flags());
}

/* False: that is not known. `current` is the current task. */
static __always_inline bool in_interrupt(struct task_struct *current, bool *is)
{
	const __u32 bits = interrupt_bits;
	int count;

	if (!bits || !read_preempt_count(current, &count))
		return false;
	*is = count & bits;
	return true;
}

/* Runs where `task` is woken, with its lock held. If it does not sleep yet, the wake only keeps it from that. */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_sched_waking, struct task_struct *task)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct path_thread *thread, *waker;
	bool by_device = false;
	struct shares copy;
	struct path_time woken;
	__u64 now;

	if (!path_threads_left || !seat_of(task)->crowd)
		return 0;
	thread = find_path_thread(task);
	if (!thread || !is_asleep(task))
		return 0;
	now = bpf_ktime_get_ns();
	woken = path_time(now);
	if (read_shares(&copy, now))
		woken.idle = copy.idle_ns;
	path_thread_woken(thread, PATH_NOBODY, woken);
	if (!in_interrupt(current, &by_device))
		return 0;
	if (by_device) {
		thread->waker = PATH_BY_DEVICE;
		return 0;
	}
	waker = find_current_path_thread(now);
	thread->waker = waker ? PATH_BY_TREE : PATH_BY_OTHERS;
	if (waker)
		send_wake(waker, thread, task, now);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* When the threads of a tree sleep, and who wakes them: see path.h. No thread is preempted inside these programs. */
#include "path.h"

static __always_inline void forget_path_thread(struct path_thread *thread, struct task_struct *task, __u64 now)
{
	__u64 address = (__u64)task;

	send_path_event(PATH_ENDS, thread, 0, 0, now);
	__sync_fetch_and_add(&path_threads_left, -1);
	if (!(int)bpf_map_delete_elem(&path_threads, &address))
		__sync_fetch_and_add(&seat_of(task)->crowd, -1);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_path_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct path_thread *leaving, *entering;
	__u64 now;

	if (!path_threads_left)
		return 0;
	leaving = seat_of(prev)->crowd ? find_path_thread(prev) : NULL;
	entering = seat_of(next)->crowd ? find_path_thread(next) : NULL;
	now = bpf_ktime_get_ns();
	if (entering)
		path_thread_enters(entering, now);
	if (!leaving)
		return 0;
	compare_clocks(prev, now);
	note_path_thread_runs(leaving, prev, now);
	if (prev->__state & TASK_DEAD)
		forget_path_thread(leaving, prev, now);
	else
		path_thread_leaves(leaving, is_asleep(prev), now);
	return 0;
}

static __always_inline void send_wake(struct path_thread *waker, struct path_thread *thread, struct task_struct *task,
				      __u64 now)
{
	struct path_event *event = bpf_ringbuf_reserve(&path_events, sizeof(*event), 0);
	const struct task_value *value = look_up_task(task);

	if (!event) {
		__sync_fetch_and_add(&path_lost, 1);
		return;
	}
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
	__u64 now;

	if (!path_threads_left || !seat_of(task)->crowd)
		return 0;
	thread = find_path_thread(task);
	if (!thread || !is_asleep(task))
		return 0;
	now = bpf_ktime_get_ns();
	path_thread_woken(thread, PATH_NOBODY, now);
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

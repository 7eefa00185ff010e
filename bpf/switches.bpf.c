// SPDX-License-Identifier: GPL-2.0-only
/* When threads of the tree run, and who wakes them (tree.h, path.h). No thread is preempted inside these programs. */
#include "path.h"
#include "tree_window.h"

static __always_inline void put_on_cpu(struct tree_thread *thread, struct task_struct *task, __u64 now)
{
	__u64 idle, each = share_and_idle(1, now, &idle);

	if (attaches)
		enter_in_window(thread, task, idle);
	thread->counted = 1;
	if (thread->off_ns) {
		thread->slept_ns += now - thread->off_ns;
		thread->slept_each += each - thread->off_each;
		thread->off_ns = 0;
	} else {
		thread->accounts.on_ns = now;
		thread->accounts.each = thread->accounts.shared = each;
	}
}

/* The thread ran for the last time. Its parent may have waited for it already. */
static __always_inline void bury(struct tree_thread *thread, struct task_struct *task, __u64 now)
{
	struct birth_key key = { .parent = thread->parent, .pid = thread->pid };
	struct tree_zombie *zombie = thread->is_first ? bpf_map_lookup_elem(&tree_zombies, &key) : NULL;
	__u64 address = (__u64)task;

	if (zombie)
		zombie->dead_ns = now;
	change_part(&thread->accounts, TREE_END, now);
	close_accounts(&thread->accounts, task->se.sum_exec_runtime);
	fold_tree_thread(thread, 0);
	__sync_fetch_and_add(&tree_ns, task->se.sum_exec_runtime - thread->sum_before);
	if (thread->is_ending)
		__sync_fetch_and_add(&tree_ending, -1);
	__sync_fetch_and_add(&tree_threads_left, -1);
	if (!(int)bpf_map_delete_elem(&tree_threads, &address))
		__sync_fetch_and_add(&seat_of(task)->crowd, -1);
}

/* It leaves its CPU for ever, or a watched cgroup. */
static __always_inline bool is_over(struct task_struct *task)
{
	const struct task_value *value = watches_cgroups ? look_up_task(task) : NULL;

	return task->__state & TASK_DEAD || (value && value->parted);
}

static __always_inline void take_off_cpu(struct tree_thread *thread, struct task_struct *prev, __u64 now)
{
	__u64 each;

	compare_clocks(prev, now);
	count_tree_thread(thread, prev, now);
	each = share_among(-1, now);
	if (attaches)
		leave_in_window(thread, prev, is_over(prev));
	thread->counted = 0;
	if (thread->busy) {
		thread->off_ns = now;
		thread->off_each = each;
		return;
	}
	thread->accounts.each = each;
	note_tree_thread_runs(thread, prev, now);
	account(&thread->accounts, now);
	if (!thread->has_sum) { /* it has run since it began */
		thread->sum_before = prev->se.sum_exec_runtime - (now - thread->begun_ns);
		thread->accounts.slice_sum = prev->se.sum_exec_runtime - thread->accounts.slice_ns;
		thread->has_sum = 1;
	}
	correct_slice(&thread->accounts, prev->se.sum_exec_runtime);
	thread->accounts.on_ns = 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct tree_thread *leaving, *entering;
	__u64 now;

	if (!tree_threads_left)
		return 0;
	leaving = seat_of(prev)->crowd ? find_tree_thread((__u64)prev) : NULL;
	entering = seat_of(next)->crowd ? find_tree_thread((__u64)next) : NULL;
	now = bpf_ktime_get_ns();
	if (window_is_over(now))
		return 0;
	if (entering)
		put_on_cpu(entering, next, now);
	if (leaving)
		take_off_cpu(leaving, prev, now);
	if (path_wanted)
		note_path_switch(leaving, entering, prev, now);
	if (leaving && is_over(prev))
		bury(leaving, prev, now);
	return 0;
}

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
	struct path_thread *waker;
	struct tree_thread *thread;
	bool by_device = false;
	struct shares copy;
	struct path_time woken;
	__u64 now;

	if (!tree_threads_left || !seat_of(task)->crowd)
		return 0;
	thread = find_tree_thread((__u64)task);
	if (!thread || !is_asleep(task))
		return 0;
	now = bpf_ktime_get_ns();
	if (attaches) {
		wake_in_window(thread, task, now);
		return 0;
	}
	woken = path_time(now);
	if (read_shares(&copy, now))
		woken.idle = copy.idle_ns;
	path_thread_woken(&thread->path, PATH_NOBODY, woken);
	if (!in_interrupt(current, &by_device))
		return 0;
	if (by_device) {
		thread->path.waker = PATH_BY_DEVICE;
		return 0;
	}
	waker = find_current_path_thread(now);
	thread->path.waker = waker ? PATH_BY_TREE : PATH_BY_OTHERS;
	if (waker)
		send_wake(waker, &thread->path, task, now);
	return 0;
}

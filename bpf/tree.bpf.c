// SPDX-License-Identifier: GPL-2.0-only
/* When the threads of the tree run: see tree.h, path.h. No thread is preempted inside these programs. */
#include "path.h"
#include "tree.h"

static __always_inline void put_on_cpu(struct tree_thread *thread, __u64 now)
{
	__u64 each = share_among(1, now);

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

static __always_inline void take_off_cpu(struct tree_thread *thread, struct task_struct *prev, __u64 now)
{
	__u64 each;

	compare_clocks(prev, now);
	count_tree_thread(thread, prev, now);
	each = share_among(-1, now);
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
	if (prev->__state & TASK_DEAD)
		bury(thread, prev, now);
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
	if (entering)
		put_on_cpu(entering, now);
	if (leaving)
		take_off_cpu(leaving, prev, now);
	return 0;
}

static __always_inline void forget_path_thread(struct path_thread *thread, struct task_struct *task, __u64 now)
{
	__u64 address = (__u64)task;

	send_path_event(PATH_ENDS, thread, 0, 0, now);
	__sync_fetch_and_add(&path_threads_left, -1);
	if (!(int)bpf_map_delete_elem(&path_threads, &address))
		__sync_fetch_and_add(&seat_of(task)->crowd, -1);
}

/* It stands after on_sched_switch, so it is attached, and runs, after it: the idle time is known up to this switch. */
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
		path_thread_enters(entering, path_time(now));
	if (!leaving)
		return 0;
	compare_clocks(prev, now);
	note_path_thread_runs(leaving, prev, now);
	if (prev->__state & TASK_DEAD)
		forget_path_thread(leaving, prev, now);
	else
		path_thread_leaves(leaving, is_asleep(prev), path_time(now));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching: threads whose counting begins in the middle of their lives. User space names processes (-p), or
 * cgroups; then the tasks that enter and leave these are followed, too. And what only counting by unit needs (units.h).
 */
#include "attach.h"

/* The last pass: gives back what attaching held, once for every process. */
static __always_inline void release(struct task_struct *task)
{
	struct task_value *value = look_up_task(task);
	struct process_value *process = value ? find_process(value->process) : NULL;

	if (process && __sync_val_compare_and_swap(&process->seeding, 1, 0) == 1 &&
	    __sync_fetch_and_add(&process->live_threads, -1) == 1)
		process->seeding = 1; /* its last thread has left just before: user space ends it */
}

static __always_inline __u32 *find_attached(struct task_struct *task)
{
	struct pid *leader = plain(task)->group_leader->thread_pid;
	__u32 pid = leader ? pid_at(leader, tracer_level) : 0;

	return bpf_map_lookup_elem(&attached, &pid);
}

/*
 * While armed: marks every thread of the processes in map attached, or of watched cgroups. User space repeats it until
 * it finds no new thread; threads born in between are marked by their makers. Prints one byte per newly marked thread.
 */
SEC("iter/task")
int seed(struct bpf_iter__task *context)
{
	struct seq_file *out = context->meta->seq;
	struct task_struct *task = context->task;
	__u32 *number;

	if (!task)
		return 0;
	if (releasing) {
		release(task);
		if (tree_wanted)
			meet_running(task);
		return 0;
	}
	note_tracer(bpf_get_current_task_btf());
	if (watches_cgroups)
		number = look_up_task(task) ? NULL : find_member(task);
	else
		number = find_attached(task);
	if (number && mark(task, number, meeting_of(task), patient))
		bpf_seq_write(out, "+", 1);
	return 0;
}

/* The clock stops. Of what was idle last, the thread that fell asleep last has it: none was woken. */
SEC("iter/task")
int end_window(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct tree_thread *thread = task ? find_tree_thread((__u64)task) : NULL;

	if (!tree_stopped_ns)
		tree_stopped_ns = end_shares(tree_stop_ns);
	if (thread && !thread->counted && thread->path.state == PATH_RUNS) /* it has slept all the time */
		thread->path.state = PATH_ASLEEP;
	if (thread && (!tree_last_sleeper || tree_last_sleeper == (__u64)task))
		assign_idle(thread, task, idle_so_far());
	if (!task) {
		bpf_for_each_map_elem(&tree_threads, fold_attached, NULL, 0);
		tree_threads_left = tree_ending = 0;
	}
	return 0;
}

static __always_inline bool counts(struct task_struct *task)
{
	struct task_value *value = look_up_task(task);

	return value && !value->parted;
}

/*
 * A process that no counted one has created: it was created into a watched cgroup (CLONE_INTO_CGROUP), by the
 * kernel, or by forktax to measure what counting costs. Threads of processes that are not marked yet mark themselves.
 */
static __always_inline void meet_newborn(struct task_struct *parent, struct task_struct *child)
{
	__u32 *number;

	if (!armed || !(watches_cgroups || trial) || child->pid != child->tgid || counts(parent) || look_up_task(child))
		return;
	number = find_member(child);
	if (number && !mark(child, number, MET_AT_BIRTH, false))
		__sync_fetch_and_add(&uncounted_calls, 1);
}

TRACE_BY(newborn, sched_process_fork, meet_newborn(parent, child), struct task_struct *parent,
	 struct task_struct *child)

/* A move to another cgroup, of any hierarchy, is over: of all threads of a process, or of one. */
static __always_inline void follow_move(struct task_struct *task)
{
	struct task_value *value = armed ? look_up_task(task) : NULL;

	if (by_unit)
		__sync_fetch_and_add(&moves, 1);
	if (by_unit && value && is_member(task)) /* its other threads follow at their next call */
		change_unit(value, task, minor_faults(value, task), major_faults(value, task));
	if (value && !is_member(task)) {
		value->parted = PARTED;
		ring(&(struct message){ .kind = MESSAGE_LEFT }, BPF_RB_FORCE_WAKEUP);
	} else if (armed && !counts(task) && is_member(task)) {
		let_join(task);
	}
}

TRACE(cgroup_attach_task, follow_move(task), struct cgroup *to, const char *path,
      struct task_struct *task, bool with_threads)

static __always_inline void count_running(struct task_value *value, struct task_struct *task)
{
	struct unit_value *unit = task->pid == task->tgid ? find_unit(value->share.unit) : NULL;

	if (!unit)
		return;
	if (unit->look != look)
		unit->processes = 0;
	unit->look = look;
	unit->processes++;
}

/* Reports what threads that run on have counted since the last look. One look at a time. */
SEC("iter/task")
int report_running(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct task_value *value = task ? look_up_task(task) : NULL;

	if (!value)
		return 0;
	report_thread(value, minor_faults(value, task), major_faults(value, task));
	if (value->share.ended) {
		report_thread(value, minor_faults(value, task), major_faults(value, task));
		return 0;
	}
	if (!value->parted)
		change_unit(value, task, minor_faults(value, task), major_faults(value, task));
	count_running(value, task);
	return 0;
}

/* Only to give a name to what ends before user space looks: if it is skipped, that is in "other". */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_new_unit, struct cgroup *cgroup, const char *path)
{
	__u32 zero = 0;
	struct unit_path *scratch = bpf_map_lookup_elem(&new_path, &zero);
	__u64 id = cgroup->kn->id;

	if (!may_probe || !scratch)
		return 0;
	if (bpf_probe_read_kernel_str(scratch->path, sizeof(scratch->path), path) < (long)sizeof(scratch->path))
		bpf_map_update_elem(&unit_paths, &id, scratch, BPF_ANY);
	return 0;
}

/* In the place of on_sys_exit. A program that comes second finds nothing to do. */
static __always_inline void exit_fork(struct pt_regs *regs)
{
	struct task_value *value;

	if (!may_be_fork((int)call_of(regs)))
		return;
	value = find_task(bpf_get_current_task_btf());
	if (value)
		end_fork_call(value);
}

TRACE_BY(fork_return, sys_exit, exit_fork(regs), struct pt_regs *regs, long result)

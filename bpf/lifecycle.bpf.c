// SPDX-License-Identifier: GPL-2.0-only
/*
 * Birth, exec and end of processes and threads. A process ends with the last of its threads that
 * we count down ourselves: the leader may go first, an exec by another thread replaces it, and
 * signal->live may be seen as zero twice.
 */
#include "call_events.h"
#include "fork_flags.h"
#include "process.h"

static __always_inline __u64 new_process(struct task_struct *parent, struct task_value *maker,
					 struct task_struct *child, bool shares_mm)
{
	static const struct process_value zero;
	struct process_value *process, *creator;
	bool reparented = plain(child)->real_parent->tgid != parent->tgid;
	struct pid *pid = plain(child)->thread_pid;
	__u64 id = next_process();

	process = find_or_zero(&processes, &id, &zero);
	if (!process)
		return 0;
	process->id = id;
	process->parent = maker->process;
	process->shares_mm = shares_mm;
	process->birth = !shares_mm ? BIRTH_FORK : maker->vforks ? BIRTH_VFORK : BIRTH_CLONE;
	process->kind = shares_mm ? IMAGE_BORROWED : IMAGE_INHERITED;
	process->kept = keep_all;
	process->live_threads = 1;
	process->threads = 1;
	process->reparented = reparented;
	process->start_ns = bpf_ktime_get_ns();
	set_pid(process, pid);
	creator = find_process(maker->process);
	if (creator) {
		process->ppid = reparented ? creator->ppid : creator->pid;
		process->exe = process->parent_exe = creator->exe;
		__sync_fetch_and_add(&creator->children, 1);
	}
	count_life(LIFE_FORKS);
	return id;
}

/* A worker of io_uring is no thread that the program has created. */
static __always_inline __u64 new_thread(struct task_value *maker, bool is_worker)
{
	struct process_value *process = find_process(maker->process);

	if (!process)
		return 0;
	__sync_fetch_and_add(&process->live_threads, 1);
	if (is_worker)
		return maker->process;
	__sync_fetch_and_add(&process->threads, 1);
	count_life(LIFE_THREADS);
	return maker->process;
}

static __always_inline bool attached_already(struct task_value *maker, struct task_struct *child)
{
	struct process_value *process = find_process(maker->process);

	return process && process->birth == BIRTH_ATTACHED && reserve_task(child) == -EEXIST;
}

/* False: a program before this one has handled the birth. (No two tasks with one pid begin at once.) */
static __always_inline bool is_new(struct task_value *maker, struct task_struct *child)
{
	bool known = maker->born_ns == child->start_time && maker->born_pid == child->pid;

	if (!preemptible)
		return true;
	maker->born_ns = child->start_time;
	maker->born_pid = child->pid;
	return !known;
}

static __always_inline void begin_thread(struct task_struct *parent, struct task_struct *child)
{
	struct task_value *maker = find_task(parent), *value;
	__u64 process, mm = (__u64)plain(child)->mm;
	bool is_thread = child->tgid == parent->tgid;

	if (!maker || !is_new(maker, child))
		return;
	if (is_thread && attached_already(maker, child))
		return;
	if (maker->flagged_pid != child->pid)
		find_fork_flags(maker);
	process = is_thread ? new_thread(maker, child->flags & PF_IO_WORKER)
			    : new_process(parent, maker, child, mm == maker->mm);
	value = process ? create_task(child) : NULL;
	if (!value) {
		lose(LOSS_STORAGE_FAILURES);
		return;
	}
	value->process = process;
	value->unentered = 1;
	value->in_call = 1;
	value->noted_known = exits_watched; /* its exit from the call that made it will not pass unseen */
	value->call_stack = maker->call_stack;
	value->mm = mm;
	value->ldso_start = maker->ldso_start;
	value->ldso_end = maker->ldso_end;
	if (anatomy && is_thread)
		record_thread(value, child);
	else if (anatomy)
		record_birth(parent, maker, child, value);
	if (records_calls() && !is_thread)
		record_fork(process, maker);
	if (flow && !is_thread)
		note_birth(process, maker->process);
	value->ready = 1;
}

TRACE(sched_process_fork, begin_thread(parent, child), struct task_struct *parent,
      struct task_struct *child)

/*
 * This event comes before sched_process_fork, and has the flags. The child's vfork_done would tell
 * the same, but is gone if the parent is killed before the child runs.
 *
 * Workers of io_uring (create_io_thread() in kernel/fork.c) have no sched_process_fork. They are
 * threads of the process, whose memory they fill, and the kernel adds their faults to its own.
 */
static __always_inline void note_flags(struct task_struct *child, unsigned long clone_flags)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct task_value *maker = find_task(parent);

	if (!maker)
		return;
	maker->flagged_pid = child->pid;
	keep_fork_flags(maker, clone_flags);
	if (child->flags & PF_IO_WORKER)
		begin_thread(parent, child);
}

TRACE(task_newtask, note_flags(child, clone_flags), struct task_struct *child,
      unsigned long clone_flags)

/*
 * Since its entry, an execve took faults on the old image (copying the strings) and on the new one
 * (building its stack, clearing its .bss). The argument pages are faults without an event and
 * belong to the new image: so the old one gets the kernel's counters as they stood at the entry,
 * plus what was classified on it since then.
 */
static __always_inline void begin_image(struct task_value *value, struct task_struct *task,
					struct process_value *process)
{
	for (int class = 0; class < FAULT_COUNT; class++) {
		value->faults[ACTOR_KERNEL][class] = process->next_faults[class];
		process->next_faults[class] = 0;
	}
	value->table_pages = process->next_table_pages;
	process->next_table_pages = 0;
	value->mm = (__u64)plain(task)->mm;
	value->in_exec = 0;
	value->vma.end = 0;
}

static __always_inline void exec_image(struct task_struct *task, struct linux_binprm *bprm,
				       int rank)
{
	struct task_value *value = find_task(task);
	struct process_value *process;
	__u64 old_min;
	__u32 exe;

	if (!value || !takes(value, EVENT_EXEC, rank))
		return;
	process = find_process(value->process);
	if (!process)
		return;
	if (unsettled(value))
		settle_current(value);
	count_life(LIFE_EXECS);
	old_min = value->exec_min + value->exec_old;
	find_current_ldso(value);
	exe = note_exe(task, process->pid, bprm, value->ldso_start != 0);
	if (value->first_exec) { /* the launcher's image is not ours to count */
		value->first_exec = 0;
		__builtin_memset(value->faults, 0, sizeof(value->faults));
		value->table_pages = 0;
		value->min_base = old_min;
		value->maj_base = value->exec_maj;
	} else {
		end_image(value, task, process, exe, old_min, value->exec_maj);
		process->kind = IMAGE_EXEC;
	}
	if (anatomy) /* after the old image has reported when it began */
		record_exec(value, process);
	if (records_calls())
		keep_exec_path(bprm);
	begin_image(value, task, process);
	process->exe = exe;
	if (flow) {
		process->has_forked = 0;
		send_flow_life(FLOW_EXEC, process);
	}
}

TRACE(sched_process_exec, exec_image(task, bprm, rank), struct task_struct *task, int old_pid,
      struct linux_binprm *bprm)

static __always_inline __u64 dist_bucket(__u64 count)
{
	for (int shift = 0; shift < 52; shift++) {
		if (count >> shift <= DIST_EXACT)
			return shift ? count >> shift << shift : count;
	}
	return 0;
}

/* Global to be verified once. */
__weak int distribute(__u32 group, __u32 metric, __u64 count)
{
	static const __u64 zero;
	struct dist_key key = { .group = group, .metric = metric };
	__u64 *children;

	key.value = dist_bucket(count);
	children = find_or_zero(&distribution, &key, &zero);
	if (children)
		__sync_fetch_and_add(children, 1);
	return 0;
}

__weak int count_child(struct group_value *group, const struct process_value *process)
{
	if (!group || !process)
		return 0;
	__sync_fetch_and_add(&group->children, 1);
	if (!group->index) /* roots are not children */
		return 0;
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		__u64 count = process->sums[metric];

		if (!count)
			continue;
		__sync_fetch_and_add(&group->sums[metric], count);
		distribute(group->index, metric, count);
	}
	return 0;
}

static __always_inline bool has_group_exit_code(const struct signal_struct *signal)
{
	return signal->flags & SIGNAL_GROUP_EXIT;
}

/*
 * The leader may end long before its process, and then be gone when the last thread ends. Its exit
 * code counts unless the whole process was ended (exit_group, a signal, or since Linux 6.1 its last
 * thread: synchronize_group_exit()).
 */
static __always_inline void note_leaders_exit(struct process_value *process,
					      struct task_struct *task)
{
	if (task->pid == task->tgid)
		process->exit_code = task->exit_code;
}

/*
 * A fault that ended in a signal never completes, but its window stays open; when the kernel then
 * writes a core file it takes faults without an event, and one of these would pass for it. If that was the
 * kernel's own fault, it could not tell the program of the one before: no room on its stack.
 */
__weak int drop_deadly_fault(struct task_value *value)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct signal_struct *group = plain(task)->signal;
	int signal = (has_group_exit_code(group) ? group->group_exit_code : task->exit_code) & 0x7f;

	if (value && (signal == SIGSEGV || signal == SIGBUS) &&
	    task->thread.trap_nr == TRAP_PAGE_FAULT &&
	    (task->thread.cr2 == value->window.address || value->window.actor == ACTOR_KERNEL))
		value->window.open = 0;
	return 0;
}

static __always_inline void count_wpcopy(struct process_value *process, struct task_struct *task)
{
	__u64 copies = 0;

	if (!wpcopy_count(task, &copies))
		return;
	process->wpcopy_known = 1;
	add(&process->wpcopy, copies);
}

__weak int count_current_wpcopy(struct process_value *process)
{
	if (process)
		count_wpcopy(process, bpf_get_current_task_btf());
	return 0;
}

/* A process that has been counted to its end. */
static __always_inline void finish_process(struct process_value *process, struct task_struct *task,
					   struct group_value *group)
{
	struct signal_struct *signal = plain(task)->signal;
	__u64 id = process->id;

	if (group)
		count_child(group, process);
	if (has_group_exit_code(signal))
		process->exit_code = signal->group_exit_code;
	if (process->birth == BIRTH_ROOT)
		root_end_ns = process->end_ns;
	if (process->kept) {
		process->finished = 1;
		ring(MESSAGE_ENDED, process->pid, id, BPF_RB_NO_WAKEUP);
	} else {
		bpf_map_delete_elem(&processes, &id);
	}
	__sync_fetch_and_add(&ended, 1);
}

static __always_inline void note_end(struct process_value *process, __u64 ns)
{
	if (ns > process->end_ns)
		process->end_ns = ns;
	if (anatomy)
		record_end(process);
}

/* The thread's counts so far go to its process; what it still counts will be added. */
static __always_inline void fold(struct task_value *value, struct process_value *process,
				 struct task_struct *task)
{
	flush_calls(value, process, false);
	flush_errors(value, process, false);
	flush_image(value, process, minor_faults(value, task), major_faults(value, task));
}

static __always_inline void end_process(struct task_value *value, struct process_value *process,
					struct task_struct *task)
{
	struct group_value *group = end_image(value, task, process, 0, minor_faults(value, task),
					      major_faults(value, task));

	if (records_calls())
		record_process_end(process->id, process->group);
	if (flow)
		send_flow_life(FLOW_END, process);
	if (!process->cut) {
		finish_process(process, task, group);
		return;
	}
	process->kept = 1;
	if (group)
		__sync_fetch_and_add(&group->unfinished, 1);
	__sync_fetch_and_add(&collected, 1);
}

/*
 * The last thread sums the process up. All others fold before they leave: threads of one
 * exit_group end on several CPUs at once.
 */
static __always_inline void leave_process(struct task_value *value, struct process_value *process,
					  struct task_struct *task)
{
	if (value->cut)
		process->cut = 1;
	if (process->live_threads > 1)
		fold(value, process, task);
	if (__sync_fetch_and_add(&process->live_threads, -1) == 1)
		end_process(value, process, task);
}

static __always_inline void forget_task(struct task_value *value, struct task_struct *task)
{
	__u64 key = (__u64)task;

	if (value->put_off)
		__sync_fetch_and_add(&leaving, -1);
	if (value->has_big)
		bpf_map_delete_elem(&big_tables, &key);
	if (value->recorded)
		bpf_map_delete_elem(&recorders, &key);
	if (stacks_wanted)
		bpf_map_delete_elem(&stack_works, &key);
	remove_task(task);
}

/*
 * Notes the time of an exit that the other program may miss: it is then handled only when the task
 * is freed, after the parent has learned of the end. A program as short as this is hardly ever
 * preempted.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(understudy_notes_end, struct task_struct *task)
{
	struct task_value *value = look_up_task(task);

	if (value)
		value->end_ns = bpf_ktime_get_ns();
	return 0;
}

/* `head` is what set_robust_list(2) was given; an empty list leads back to it. */
static __always_inline bool holds_robust(__u64 head, __u32 word)
{
	__u64 list[3] = {}; /* next, futex_offset, list_op_pending */

	if (!head)
		return false;
	if (!may_probe || bpf_probe_read_user(list, word == 8 ? 24 : 12, (void *)head))
		return true;
	if (word == 8)
		return list[0] != head || list[2];
	return (__u32)list[0] != head || (__u32)list[1];
}

/*
 * Since Linux 6.16 a thread still owns its memory at this tracepoint (it was moved before exit_mm()),
 * and the kernel may yet write to it (exit_mm_release(), kernel/fork.c and kernel/futex/): it marks
 * the robust mutexes that the thread holds, and clears the thread's id where the program asked for
 * that, if others use the memory, too. Each is a fault if a fork has write-protected the page.
 */
__weak int may_fault_later(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = plain(task)->mm;

	if (!mm || !sees_exit_mm)
		return 0;
	if (plain(task)->clear_child_tid && mm->mm_users.counter > 1)
		return 1;
	return holds_robust(robust_list(task), 8) || holds_robust(compat_robust_list(task), 4);
}

/* Folds what the thread has counted so far; it leaves its process when its memory is gone. */
static __always_inline void put_end_off(struct task_value *value, struct process_value *process,
					struct task_struct *task)
{
	fold(value, process, task);
	value->end_ns = bpf_ktime_get_ns();
	value->put_off = 1;
	__sync_fetch_and_add(&leaving, 1);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_sched_process_exit, struct task_struct *task)
{
	/* Also when disarmed: a thread that ends before it is collected must not be lost. */
	struct task_value *value = look_up_task(task);
	struct process_value *process;
	bool later;

	if (!value)
		return 0;
	later = may_fault_later();
	if (!later && !claim(value))
		return 0;
	if (value->window.open)
		drop_deadly_fault(value);
	if (unsettled(value))
		settle_current(value);
	if (records_calls() && value->entered)
		record_call(value, 0, CALL_UNRETURNED);
	process = find_process(value->process);
	if (process) {
		note_leaders_exit(process, task);
		note_end(process, bpf_ktime_get_ns());
		if (later) {
			put_end_off(value, process, task);
			return 0;
		}
		count_current_wpcopy(process);
		leave_process(value, process, task);
	}
	forget_task(value, task);
	return 0;
}

/* The end of a thread that is not the current one. */
static __always_inline void end_other(struct task_value *value, struct task_struct *task)
{
	struct process_value *process = find_process(value->process);

	settle_other(value, task);
	if (process) {
		count_wpcopy(process, task);
		leave_process(value, process, task);
	}
	forget_task(value, task);
}

/*
 * exit_mm() gives its lock of the address space back after the last write to it, and before anybody
 * can wait for the thread: the moment for an end that was put off.
 */
SEC("tp_btf/mmap_lock_released")
int on_mmap_lock_released(void *context)
{
	struct task_struct *task;
	struct task_value *value;

	if (!leaving)
		return 0;
	task = bpf_get_current_task_btf();
	if (plain(task)->mm)
		return 0;
	value = look_up_task(task);
	if (!value || !value->put_off || !claim(value))
		return 0;
	end_other(value, task);
	return 0;
}

/*
 * The understudy of the exit, whose program is the longest and runs in many tasks at once: it takes
 * the exits that were missed when the task is freed, where no task can be preempted.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(understudy1_sched_process_exit, struct task_struct *task)
{
	struct task_value *value = look_up_task(task);
	struct process_value *process;

	if (!value || !claim(value))
		return 0;
	process = find_process(value->process);
	if (process && !value->put_off) {
		note_leaders_exit(process, task);
		note_end(process, value->end_ns ? value->end_ns : bpf_ktime_get_ns());
	}
	end_other(value, task);
	return 0;
}

static __always_inline void begin_attached(struct process_value *process, struct task_struct *task,
					   bool has_interp, __u64 id)
{
	process->id = id;
	process->birth = BIRTH_ATTACHED;
	process->kind = IMAGE_ATTACHED;
	process->kept = 1;
	process->live_threads = 1; /* no thread's: see seeding */
	process->seeding = 1;
	process->recorded = anatomy;
	process->start_ns = process->image_ns = bpf_ktime_get_ns();
	set_pid(process, plain(task)->group_leader->thread_pid);
	process->exe = note_exe(task, process->pid, NULL, has_interp);
	attached_processes++;
	if (flow)
		send_flow_life(FLOW_ATTACHED, process);
}

/* The last pass: gives back what attaching held, once for every process. */
static __always_inline void release(struct task_struct *task)
{
	struct task_value *value = look_up_task(task);
	struct process_value *process = value ? find_process(value->process) : NULL;

	if (process && __sync_val_compare_and_swap(&process->seeding, 1, 0) == 1)
		__sync_fetch_and_add(&process->live_threads, -1);
}

/*
 * A thread that is ending may have passed its last event just before it was marked; then nobody
 * else would count it down.
 */
static __always_inline void unmark_ending(struct task_value *value, struct process_value *process,
					  struct task_struct *task)
{
	/* Atomic, so that the flag is read after others can see the mark. */
	__sync_fetch_and_add(&process->threads, 1);
	if (!(task->flags & PF_EXITING) || !claim(value))
		return;
	__sync_fetch_and_add(&process->threads, -1);
	__sync_fetch_and_add(&process->live_threads, -1);
	forget_task(value, task);
}

/*
 * Attaching, while armed: marks every thread of the processes in map attached, its counts starting
 * now. User space repeats it until it finds no new thread; threads born in between are marked by
 * their makers. Prints one byte per newly marked thread. While a process changes its mappings, or
 * copies them in a fork, its dynamic linker cannot be located: its threads wait for the next pass,
 * as long as user space is patient.
 */
SEC("iter/task")
int seed(struct bpf_iter__task *context)
{
	struct seq_file *out = context->meta->seq;
	struct task_struct *task = context->task;
	static const struct process_value zero;
	struct process_value *process;
	struct task_value *value;
	struct pid *leader;
	__u32 *wanted, pid;
	__u64 id, copies = 0;

	if (!task)
		return 0;
	if (releasing) {
		release(task);
		return 0;
	}
	tracer_level = plain(bpf_get_current_task_btf())->thread_pid->level;
	leader = plain(task)->group_leader->thread_pid;
	pid = leader ? pid_at(leader, tracer_level) : 0;
	wanted = bpf_map_lookup_elem(&attached, &pid);
	if (!wanted || task->flags & PF_EXITING || reserve_task(task) == -EEXIST)
		return 0;
	value = create_task(task);
	if (value && find_ldso(value, task) && patient) {
		forget_task(value, task);
		__sync_fetch_and_add(&left_out, 1);
		return 0;
	}
	if (!*wanted)
		*wanted = next_process();
	id = *wanted;
	process = find_or_zero(&processes, &id, &zero);
	if (!process || !value) {
		lose(LOSS_STORAGE_FAILURES);
		return 0;
	}
	if (!process->id)
		begin_attached(process, task, value->ldso_start != 0, id);
	__sync_fetch_and_add(&process->live_threads, 1);
	/* What was copied before this is not ours to count; the thread's end adds the kernel's sum. */
	if (wpcopy_count(task, &copies))
		add(&process->wpcopy, -copies);
	value->unentered = 1; /* it may be inside a call that we did not see it enter */
	enter_exec(value, task); /* ... which may be an execve: its new image will begin here */
	value->mm = (__u64)plain(task)->mm;
	value->min_base = task->min_flt;
	value->maj_base = task->maj_flt;
	value->process = id;
	record_thread(value, task);
	value->ready = 1;
	/* If it sleeps in a call now, it is that call whose entry was not seen. (Before a fault there is -1.) */
	value->in_call = task->__state & TASK_INTERRUPTIBLE &&
			 (long)((struct pt_regs *)bpf_task_pt_regs(task))->orig_ax >= 0;
	unmark_ending(value, process, task);
	bpf_seq_write(out, "+", 1);
	return 0;
}

/*
 * At the end: folds every thread that still runs. Counting has been disarmed before; a thread whose
 * exit is under way is left to that.
 */
SEC("iter/task")
int collect(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct task_value *value;

	if (!task)
		return 0;
	value = look_up_task(task);
	if (!value || value->end_ns || !claim(value))
		return 0;
	if (!value->cut) {
		value->stop_min = task->min_flt;
		value->stop_maj = task->maj_flt;
		value->cut = 1;
	}
	end_other(value, task);
	return 0;
}

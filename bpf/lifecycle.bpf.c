// SPDX-License-Identifier: GPL-2.0-only
/*
 * Birth, exec and end of processes and threads. A process ends with the last of its threads that
 * we count down ourselves: the leader may go first, an exec by another thread replaces it, and
 * signal->live may be seen as zero twice.
 */
#include "attach.h"
#include "call_events.h"
#include "process.h"
#include "tree.h"

/*
 * The flags of a fork whose event task_newtask, which has them, came before forktax had attached to the parent: the
 * call that is under way shows them, by its number and its first argument.
 */
static __always_inline bool read_fork_flags(__u64 *flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = (void *)bpf_task_pt_regs(task);
	bool compat = is_compat(task);
	__u64 argument = argument_of(regs, compat, 0);

	*flags = 0;
	switch (flags_place(call_of(regs), compat)) {
	case FLAGS_OF_FORK:
		return true;
	case FLAGS_OF_VFORK:
		*flags = CLONE_VFORK;
		return true;
	case FLAGS_IN_ARGUMENT:
		*flags = argument;
		return true;
	case FLAGS_IN_MEMORY:
		return may_probe && !bpf_probe_read_user(flags, sizeof(*flags), (void *)argument);
	default:
		return false;
	}
}

static __always_inline void keep_fork_flags(struct task_value *maker, __u64 flags)
{
	maker->vforks = flags & CLONE_VFORK ? 1 : 0;
	maker->shares_files = flags & CLONE_FILES ? 1 : 0;
}

__weak int find_fork_flags(struct task_value *maker)
{
	__u64 flags;

	if (!maker)
		return 0;
	if (!read_fork_flags(&flags))
		lose(LOSS_UNSURE_CALLS);
	keep_fork_flags(maker, flags);
	return 0;
}

static __always_inline enum birth birth_of(struct task_value *maker, bool shares_mm)
{
	return !shares_mm ? BIRTH_FORK : maker->vforks ? BIRTH_VFORK : BIRTH_CLONE;
}

/* The child has the name of its parent until it executes something. */
static __always_inline void count_fork(struct process_value *process, struct process_value *creator,
				       struct task_value *maker)
{
	process->unit = maker->share.unit;
	if (creator)
		__builtin_memcpy(process->name, creator->name, sizeof(process->name));
	if (process->birth != BIRTH_VFORK)
		maker->share.has_forked = 1;
	count_in_unit(process->unit, forks);
}

static __always_inline __u64 new_process(struct task_struct *parent, struct task_value *maker,
					 struct task_struct *child, bool shares_mm)
{
	struct process_value *process, *creator;
	bool reparented = plain(child)->real_parent->tgid != parent->tgid;
	struct pid *pid = plain(child)->thread_pid;
	__u64 id = next_process();

	process = find_or_zero(&processes, &id);
	if (!process)
		return 0;
	process->id = id;
	process->parent = maker->process;
	process->shares_mm = shares_mm;
	process->birth = birth_of(maker, shares_mm);
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
	if (lines_wanted)
		note_script_line(process, child);
	count_life(LIFE_FORKS);
	if (by_unit)
		count_fork(process, creator, maker);
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

static __always_inline void begin_in_tree(struct task_struct *parent, const struct task_value *maker,
					  struct task_struct *child, const struct task_value *value, bool is_thread)
{
	struct pid *own = plain(child)->thread_pid, *seen_by = plain(parent)->thread_pid;

	if (!own || !seen_by)
		return;
	__sync_fetch_and_add(&seat_of(child)->crowd, 1);
	begin_tree_thread(maker->address, value->address, maker->process, is_thread ? 0 : pid_at(own, seen_by->level));
}

static __always_inline void begin_thread(struct task_struct *parent, struct task_struct *child, int rank)
{
	struct task_value *maker = find_counted(parent), *value;
	__u64 process, mm = (__u64)plain(child)->mm;
	bool is_thread = child->tgid == parent->tgid;

	if (!maker)
		pass(PASSED_FORKS, rank);
	if (!maker || !is_new(maker, child))
		return;
	if (is_thread && attached_already(maker, child))
		return;
	if (watches_cgroups && !is_thread && !is_member(child))
		return; /* CLONE_INTO_CGROUP has created it elsewhere */
	if (maker->flagged_pid != child->pid)
		find_fork_flags(maker);
	if (by_unit && maker->share.moves != moves)
		follow_unit(maker);
	process = is_thread ? new_thread(maker, child->flags & PF_IO_WORKER)
			    : new_process(parent, maker, child, mm == maker->mm);
	value = process ? create_task(child) : NULL;
	if (!value) {
		lose(LOSS_STORAGE_FAILURES);
		return;
	}
	value->process = process;
	value->newborn = 1;
	value->unentered = BIRTH_HAS_EXIT;
	value->in_call = 1;
	value->noted_known = exits_watched; /* its exit from the call that made it will not pass unseen */
	value->call_stack = maker->call_stack;
	value->mm = mm;
	if (attaches && maker->ldso_unknown) /* this fork has copied its mappings when we attached */
		find_current_ldso(maker);
	value->ldso_unknown = maker->ldso_unknown;
	value->ldso_start = maker->ldso_start;
	value->ldso_end = maker->ldso_end;
	if (by_unit)
		join_unit(value, child, is_thread ? maker->share.birth : birth_of(maker, mm == maker->mm));
	if (anatomy && is_thread)
		record_thread(value, child);
	else if (anatomy)
		record_birth(parent, maker, child, value);
	if (records_calls() && !is_thread)
		record_fork(process, maker);
	if (flow && !is_thread)
		note_birth(process, maker->process);
	if (tree_wanted)
		begin_in_tree(parent, maker, child, value, is_thread);
	if (path_wanted)
		begin_path_thread(value->address, process);
	value->ready = 1;
}

TRACE(sched_process_fork, begin_thread(parent, child, rank), struct task_struct *parent, struct task_struct *child)

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
	struct task_value *maker = find_counted(parent);

	if (!maker)
		return;
	maker->flagged_pid = child->pid;
	keep_fork_flags(maker, clone_flags);
	if (child->flags & PF_IO_WORKER)
		begin_thread(parent, child, 1);
}

TRACE(task_newtask, note_flags(child, clone_flags), struct task_struct *child, unsigned long clone_flags)

/*
 * Since its entry, an execve took faults on the old image (copying the strings) and on the new one (building its stack,
 * clearing its .bss). The argument pages are faults without an event and belong to the new image: so the old one gets
 * the kernel's counters as they stood at the entry, plus what was classified on it since then.
 */
static __always_inline void begin_image(struct task_value *value, struct task_struct *task,
					struct process_value *process)
{
	for (int class = 0; class < FAULT_CLASSES; class++) {
		value->faults[ACTOR_KERNEL][class] = process->next_faults[class];
		process->next_faults[class] = 0;
	}
	value->table_pages = process->next_table_pages;
	process->next_table_pages = 0;
	value->mm = (__u64)plain(task)->mm;
	value->in_exec = 0;
	value->vma.end = 0;
}

/* Its counts go on. */
static __always_inline void exec_in_unit(struct task_value *value, struct task_struct *task,
					 struct process_value *process)
{
	count_kind(process, true);
	process->images = 1;
	name_process(process, task);
	count_in_unit(value->share.unit, execs);
	value->ldso_start = value->ldso_end = value->ldso_unknown = 0;
	if (classes)
		find_current_ldso(value);
	value->mm = (__u64)plain(task)->mm;
	value->in_exec = value->first_exec = 0;
	value->vma.end = 0;
}

static __always_inline void exec_image(struct task_struct *task, struct linux_binprm *bprm, int rank)
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
	if (by_unit) {
		exec_in_unit(value, task, process);
		return;
	}
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
	if (tree_wanted)
		exec_tree_thread(value, exe, note_execution(process, exe));
	if (path_wanted)
		exec_path_thread(exe);
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
	    died_of_fault(task, value->window.address, value->window.actor == ACTOR_KERNEL))
		value->window.open = 0;
	return 0;
}

/*
 * Notes the time of an exit that the other program may miss: it is then handled only when the task is freed, after the
 * parent has learned of the end. A program as short as this is hardly ever preempted.
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

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_sched_process_exit, struct task_struct *task)
{
	/* Also when disarmed: a thread that ends before it is collected must not be lost. */
	struct task_value *value = look_up_task(task);
	struct process_value *process;
	bool later;

	if (watches_cgroups && !value) {
		if (!plain(task)->signal->live.counter)
			has_joined(task);
		value = join_ending(task);
	}
	if (!value)
		return 0;
	if (tree_wanted)
		end_tree_thread(!plain(task)->signal->live.counter);
	later = ends_later || may_fault_later();
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
		if (later) { /* it leaves its process when its memory is gone */
			value->end_ns = bpf_ktime_get_ns();
			value->put_off = 1;
			__sync_fetch_and_add(&leaving, 1);
			return 0;
		}
		count_current_wpcopy(process);
		leave_process(value, process, task);
	}
	forget_task(value, task);
	return 0;
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
	if (classes && value->window.open)
		close_window(value, task, OF_ENDED);
	end_settled(value, task);
	return 0;
}

/*
 * Before Linux 6.16 the exit is reported when the address space is gone, in which faults of the program may have to
 * be looked up: those before a signal that ended it. exit_mm() takes the lock of the address space while the thread
 * still has it. So does a fault on the way there, whose window stays open.
 */
SEC("tp_btf/mmap_lock_start_locking")
int on_mmap_lock_start(void *context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_value *value;

	if (!(task->flags & PF_EXITING) || !plain(task)->mm)
		return 0;
	value = find_task(task);
	if (!value)
		return 0;
	if (window__live(&value->window, task)) {
		solve_puzzles(value);
		return 0;
	}
	if (value->window.open)
		drop_deadly_fault(value);
	if (unsettled(value))
		settle_current(value);
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
	if (tree_wanted)
		fold_living(value->address);
	cut_off(value, task);
	end_other(value, task);
	return 0;
}

/*
 * Ends the counts of threads that are in a watched cgroup no longer, in two passes. The first parts with them: they
 * stop counting at their next event. The second, an RCU grace period later, adds what they have counted to their
 * processes; who has come back does that itself, with its next call. The first prints one byte for each.
 */
SEC("iter/task")
int part(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct task_value *value = task ? look_up_task(task) : NULL;

	if (!value)
		return 0;
	if (!second_pass) {
		if (!value->parted && is_member(task))
			return 0;
		value->parted = PARTED_FOR_LONG;
		bpf_seq_write(context->meta->seq, "-", 1);
	} else if (value->parted == PARTED_FOR_LONG && !is_member(task) && !value->end_ns && claim(value)) {
		cut_off(value, task);
		end_other(value, task);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Birth, exec and end of processes and threads. A process ends with the last of its threads that
 * we count down ourselves: the leader may go first, an exec by another thread replaces it, and
 * signal->live may be seen as zero twice.
 */
#include "process.h"

static __always_inline __u64 new_process(struct task_struct *parent, struct task_value *maker,
					 struct task_struct *child, bool shares_mm)
{
	static const struct process_value zero;
	struct process_value *process, *creator;
	bool reparented = child->real_parent->tgid != parent->tgid;
	struct pid *pid = child->thread_pid;
	__u64 id = __sync_fetch_and_add(&last_process, 1) + 1;

	process = find_or_zero(&processes, &id, &zero);
	if (!process)
		return 0;
	process->id = id;
	process->parent = maker->process;
	process->shares_mm = shares_mm;
	/* Whether it is a vfork is not known before it runs: see begin_child(). */
	process->birth = shares_mm ? BIRTH_CLONE : BIRTH_FORK;
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
	__sync_fetch_and_add(&forks, 1);
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
	__sync_fetch_and_add(&threads, 1);
	return maker->process;
}

static __always_inline bool attached_already(struct task_value *maker, struct task_struct *child)
{
	struct process_value *process = find_process(maker->process);

	return process && process->birth == BIRTH_ATTACHED && reserve_task(child) == -EEXIST;
}

static __always_inline void begin_thread(struct task_struct *parent, struct task_struct *child,
					 int rank)
{
	struct task_value *maker = find_task(parent), *value;
	__u64 process, mm = (__u64)child->mm;
	bool is_thread = child->tgid == parent->tgid;

	if (!maker || !takes(maker, EVENT_FORK, rank))
		return;
	if (is_thread && attached_already(maker, child))
		return;
	process = is_thread ? new_thread(maker, child->flags & PF_IO_WORKER)
			    : new_process(parent, maker, child, mm == maker->mm);
	value = process ? create_task(child) : NULL;
	if (!value) {
		lose(LOSS_STORAGE_FAILURES);
		return;
	}
	value->process = process;
	value->newborn = 1;
	value->mm = mm;
	value->borrows = !is_thread && mm == maker->mm;
	value->ldso_start = maker->ldso_start;
	value->ldso_end = maker->ldso_end;
	if (anatomy && is_thread)
		record_thread(value, child);
	else if (anatomy)
		record_birth(parent, maker, child, value);
	value->ready = 1;
}

TRACE(sched_process_fork, begin_thread(parent, child, rank), struct task_struct *parent,
      struct task_struct *child)

/*
 * Workers of io_uring (create_io_thread() in kernel/fork.c) have no sched_process_fork. They are
 * threads of the process, whose memory they fill, and the kernel adds their faults to its own.
 */
static __always_inline void begin_worker(struct task_struct *child, int rank)
{
	if (child->flags & PF_IO_WORKER)
		begin_thread(bpf_get_current_task_btf(), child, rank);
}

TRACE(task_newtask, begin_worker(child, rank), struct task_struct *child)

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
	value->mm = (__u64)task->mm;
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
	__sync_fetch_and_add(&execs, 1);
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
	if (anatomy) /* what has ended tells when it began */
		record_exec(value, process);
	begin_image(value, task, process);
	process->exe = exe;
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

static __always_inline void count_child(struct group_value *group, struct process_value *process)
{
	__sync_fetch_and_add(&group->children, 1);
	if (!group->index) /* roots are not children */
		return;
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		__u64 count = process->sums[metric];

		if (!count)
			continue;
		__sync_fetch_and_add(&group->sums[metric], count);
		distribute(group->index, metric, count);
	}
}

/* What waitpid will report. The last thread to exit leaves it here (synchronize_group_exit()). */
static __always_inline __s32 exit_code(struct task_struct *task)
{
	struct signal_struct *signal = task->signal;

	if (signal->flags & SIGNAL_GROUP_EXIT)
		return signal->group_exit_code;
	return task->group_leader->exit_code;
}

__weak int current_exit_code(void)
{
	return exit_code(bpf_get_current_task_btf());
}

/*
 * A fault that ended in a signal never completes, but its window stays open; when the kernel then
 * writes a core file it takes faults without an event, one of which would pass for it.
 */
__weak int drop_deadly_fault(struct task_value *value)
{
	struct task_struct *task = bpf_get_current_task_btf();
	int signal = exit_code(task) & 0x7f;

	if (value && (signal == SIGSEGV || signal == SIGBUS) &&
	    task->thread.trap_nr == TRAP_PAGE_FAULT && task->thread.cr2 == value->window.address)
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

static __always_inline void end_process(struct task_value *value, struct process_value *process,
					struct task_struct *task, __s32 code)
{
	__u64 id = process->id;
	struct group_value *group;

	group = end_image(value, task, process, 0, task->min_flt, task->maj_flt);
	if (group)
		count_child(group, process);
	process->exit_code = code;
	process->end_ns = value->end_ns ? value->end_ns : bpf_ktime_get_ns();
	if (process->birth == BIRTH_ROOT)
		root_end_ns = process->end_ns;
	if (anatomy)
		record_end(process);
	if (process->kept) {
		process->finished = 1;
		ring(MESSAGE_ENDED, process->pid, id, BPF_RB_NO_WAKEUP);
	} else {
		bpf_map_delete_elem(&processes, &id);
	}
	__sync_fetch_and_add(&ended, 1);
}

/*
 * True for the last thread. All others fold before they leave, because whoever comes last sums the
 * process up: threads of one exit_group end on several CPUs at once.
 */
static __always_inline bool leave_process(struct task_value *value, struct process_value *process,
					  struct task_struct *task)
{
	if (process->live_threads > 1) {
		flush_calls(value, task, process, false);
		flush_image(value, process, task->min_flt, task->maj_flt);
	}
	return __sync_fetch_and_add(&process->live_threads, -1) == 1;
}

static __always_inline void end_thread(struct task_value *value, struct process_value *process,
				       struct task_struct *task, __s32 code)
{
	if (leave_process(value, process, task))
		end_process(value, process, task, code);
}

static __always_inline void forget_task(struct task_value *value, struct task_struct *task)
{
	__u64 key = (__u64)task;

	if (value->has_big)
		bpf_map_delete_elem(&big_tables, &key);
	if (value->recorded)
		bpf_map_delete_elem(&recorders, &key);
	bpf_map_delete_elem(&tasks, &key);
}

/*
 * Where the exit may be missed, and made up for only when the task is freed, later than its parent
 * learns of its end: when it was. So short a program is hardly ever preempted.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(understudy_notes_end, struct task_struct *task)
{
	struct task_value *value = look_up_task(task);

	if (value)
		value->end_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_sched_process_exit, struct task_struct *task)
{
	/* Also when disarmed: a thread that ends before it is collected must not be lost. */
	struct task_value *value = look_up_task(task);
	struct process_value *process;

	if (!value || !claim(value))
		return 0;
	if (value->window.open)
		drop_deadly_fault(value);
	if (unsettled(value))
		settle_current(value);
	process = find_process(value->process);
	if (process) {
		count_current_wpcopy(process);
		end_thread(value, process, task, current_exit_code());
	}
	forget_task(value, task);
	return 0;
}

/*
 * The understudy of the exit, whose program is the longest and runs in many tasks at once: it
 * takes the exits that were missed when the task is freed, where no task can be preempted.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(understudy1_sched_process_exit, struct task_struct *task)
{
	struct task_value *value = look_up_task(task);
	struct process_value *process;

	if (!value || !claim(value))
		return 0;
	settle_other(value, task);
	process = find_process(value->process);
	if (process) {
		count_wpcopy(process, task);
		end_thread(value, process, task, exit_code(task));
	}
	forget_task(value, task);
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
	set_pid(process, task->group_leader->thread_pid);
	process->exe = note_exe(task, process->pid, NULL, has_interp);
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
 * A thread that is ending may have passed its last event just before it was marked: nobody else
 * would count it down.
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
 * their makers. Prints one byte per newly marked thread. Where its dynamic linker is cannot be
 * asked while its process changes its mappings, or copies them in a fork: such a thread waits for
 * the next pass, as long as user space is patient.
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
	tracer_level = bpf_get_current_task_btf()->thread_pid->level;
	leader = task->group_leader->thread_pid;
	pid = leader ? pid_at(leader, tracer_level) : 0;
	wanted = bpf_map_lookup_elem(&attached, &pid);
	if (!wanted || task->flags & PF_EXITING || reserve_task(task) == -EEXIST)
		return 0;
	value = create_task(task);
	if (value && find_ldso(value, task) && patient) {
		forget_task(value, task);
		__sync_fetch_and_add(&put_off, 1);
		return 0;
	}
	if (!*wanted)
		*wanted = __sync_fetch_and_add(&last_process, 1) + 1;
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
	value->newborn = 1; /* it may be inside a call that we did not see it enter */
	value->mm = (__u64)task->mm;
	value->min_base = task->min_flt;
	value->maj_base = task->maj_flt;
	value->process = id;
	record_thread(value, task);
	value->ready = 1;
	unmark_ending(value, process, task);
	bpf_seq_write(out, "+", 1);
	return 0;
}

/* At the end: folds every thread that still runs. Counting has been disarmed before. */
SEC("iter/task")
int collect(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct process_value *process;
	struct task_value *value;
	struct group_value *group;

	if (!task)
		return 0;
	value = look_up_task(task);
	if (!value || !claim(value))
		return 0;
	settle_other(value, task);
	process = find_process(value->process);
	if (!process)
		return 0;
	count_wpcopy(process, task);
	if (!leave_process(value, process, task))
		return 0;
	process->kept = 1;
	group = end_image(value, task, process, 0, task->min_flt, task->maj_flt);
	if (group)
		__sync_fetch_and_add(&group->unfinished, 1);
	__sync_fetch_and_add(&collected, 1);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The anatomy level: which children are recorded, and the moments of their lives.
 */
#pragma once

#include "recorder.h"

/* The record of a child; NULL: it is not being recorded. */
static __always_inline struct fork_record *find_birth(const struct process_value *process)
{
	struct birth_key key = { .parent = process->parent, .pid = process->birth_pid };

	return process->birth_pid ? bpf_map_lookup_elem(&births, &key) : NULL;
}

/* Is a child that is about to be born to be recorded? `number`: how many of its kind came before. */
static __always_inline bool is_wanted(const struct process_value *process, __u64 *number)
{
	struct recording_key key = { .parent_exe = process->parent_exe, .birth = process->shares_mm };
	__u64 *children = find_or_zero(&recording, &key);

	if (!children)
		return false;
	*number = __sync_fetch_and_add(children, 1);
	if (*number == 0)
		__sync_fetch_and_add(&kinds_open, 1);
	if (*number == record_full)
		__sync_fetch_and_add(&kinds_open, -1);
	return *number < record_full || (*number - record_full) % record_every == 0;
}

#define OPEN_FILES_MOST (1 << 16)

struct open_files {
	__u64 words; /* address of the bitmap */
	__u64 count;
};

static long count_open_files(__u32 index, struct open_files *files)
{
	__u64 word;

	if (bpf_probe_read_kernel(&word, sizeof(word), (void *)(files->words + index * sizeof(word))))
		return 1;
	files->count += __builtin_popcountll(word);
	return 0;
}

/*
 * How many descriptors a process has: fork copies a pointer for each, and counts a reference to its file. 0: none, or
 * not known, as in a table so large that counting would be a part of what the fork takes.
 */
static __noinline __u64 open_files_of(struct task_struct *task)
{
	struct files_struct *files = plain(task)->files;
	struct open_files open = {};

	if (!files || !may_probe || files->fdt->max_fds > OPEN_FILES_MOST)
		return 0;
	open.words = (__u64)files->fdt->open_fds;
	bpf_loop(files->fdt->max_fds / 64, count_open_files, &open, 0);
	return open.count;
}

static __always_inline void describe_birth(struct fork_record *birth, struct task_struct *parent,
					   const struct task_value *maker, const struct process_value *process)
{
	struct mm_struct *mm = plain(parent)->mm;

	birth->head = (struct detail){ DETAIL_FORK, process->pid, process->id };
	birth->parent = process->parent;
	birth->entered = maker->entered ? maker->entered_ns : 0;
	birth->forked = process->start_ns;
	birth->threads = plain(parent)->signal->nr_threads;
	if (mm) {
		birth->vmas = mm->map_count;
		birth->page_table_bytes = mm->pgtables_bytes.counter;
		birth->pinned_pages = mm->pinned_vm.counter;
	}
	birth->open_files = open_files_of(parent);
}

static __always_inline void announce_first(struct task_struct *parent, const struct process_value *creator, __u64 child)
{
	struct first_fork_record record = {
		.head = { .kind = DETAIL_FIRST_FORK, .pid = creator->pid, .process = creator->id },
		.child = child,
		.ns = bpf_ktime_get_ns(),
	};
	struct mm_struct *mm = plain(parent)->mm;

	if (mm) {
		record.start_code = mm->start_code;
		record.start_stack = mm->start_stack;
	}
	send_detail(&record, sizeof(record), BPF_RB_FORCE_WAKEUP);
}

/* At the birth of a process: decides whether it is recorded, and begins its record. */
static __always_inline void record_birth(struct task_struct *parent, struct task_value *maker,
					 struct task_struct *child, struct task_value *value)
{
	struct process_value *process = find_process(value->process);
	struct process_value *creator = find_process(maker->process);
	struct pid *own = plain(child)->thread_pid, *seen_by = plain(parent)->thread_pid;
	struct birth_key key = {};
	struct fork_record *birth;
	struct recorder *recorder;
	__u64 number = 0;

	if (!process || !creator)
		return;
	process->image_ns = process->start_ns;
	recorder = is_wanted(process, &number) ? create_recorder(child) : NULL;
	if (!process->shares_mm) {
		creator->has_forked = 1;
		creator->last_child = recorder ? process->id : 0;
	}
	if (!recorder || !own || !seen_by)
		return;
	if (stacks_wanted)
		create_stack_work(child);
	recorder->keeps_got = timing; /* else nobody sees the page before it is written to */
	process->recorded = value->recorded = 1;
	process->birth_pid = pid_at(own, seen_by->level);
	key.parent = process->parent;
	key.pid = process->birth_pid;
	birth = create(&births, &key);
	if (birth)
		describe_birth(birth, parent, maker, process);
	maker->forking = process->birth_pid;
	if (!number)
		announce_first(parent, creator, process->id);
}

/* Roots, and threads of recorded processes. */
static __always_inline void record_thread(struct task_value *value, struct task_struct *task)
{
	struct process_value *process = find_process(value->process);

	if (!anatomy || !process || !process->recorded || !create_recorder(task))
		return;
	value->recorded = 1;
	if (stacks_wanted)
		create_stack_work(task);
}

/* A recorded thread enters a call: perhaps its last one in this image. */
__weak int record_enter(struct task_value *value, __u32 is_exec)
{
	struct process_value *process;
	struct fork_record *birth;

	if (!anatomy || !value || !(is_exec || is_exit(&value->entered_key)))
		return 0;
	process = find_process(value->process);
	if (!process)
		return 0;
	if (process->kind == IMAGE_INHERITED)
		record_gots_after(process->id);
	birth = find_birth(process);
	if (birth && !is_exec) /* the last one counts: other threads may have ended before */
		birth->leaving = value->entered_ns;
	return 0;
}

static __always_inline void record_exec(struct task_value *value, struct process_value *process)
{
	struct recorder *recorder = find_recorder(bpf_get_current_task_btf());
	struct fork_record *birth;

	if (recorder)
		recorder->keeps_got = 0;
	process->image_ns = bpf_ktime_get_ns();
	process->has_forked = 0;
	process->last_child = 0;
	birth = find_birth(process);
	if (birth && !birth->execed)
		birth->execed = value->entered_ns;
}

/* wait4 has returned a child. It may be recorded whether its parent is or not. */
static __always_inline void record_reaped(__u64 parent, __s32 pid)
{
	struct birth_key key = { .parent = parent, .pid = pid };
	struct fork_record *birth = bpf_map_lookup_elem(&births, &key), copy;

	if (!birth || !birth->exited)
		return; /* stopped or continued */
	birth->reaped = bpf_ktime_get_ns();
	copy = *birth;
	/* Kept for user space to find at the end if the ring has no room. */
	if (!bpf_ringbuf_output(&details, &copy, sizeof(copy), details_flags()))
		bpf_map_delete_elem(&births, &key);
}

__weak int record_exit(struct task_value *value, long result)
{
	struct birth_key key = {};
	struct fork_record *birth;

	if (!anatomy || !value)
		return 0;
	key.parent = value->process;
	if (value->forking) {
		key.pid = value->forking;
		value->forking = 0;
		birth = bpf_map_lookup_elem(&births, &key);
		if (birth)
			birth->returned = bpf_ktime_get_ns();
	} else if (value->entered && result > 0 && IS_CALL(&value->entered_key, wait4)) {
		record_reaped(value->process, result);
	}
	return 0;
}

__weak int record_start(struct task_value *value)
{
	struct process_value *process;
	struct fork_record *birth;

	if (!anatomy || !value)
		return 0;
	process = find_process(value->process);
	birth = process ? find_birth(process) : NULL;
	if (birth && !birth->started) /* later threads of the child start, too */
		birth->started = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void record_end(const struct process_value *process)
{
	struct fork_record *birth = find_birth(process);

	if (birth)
		birth->exited = process->end_ns;
}

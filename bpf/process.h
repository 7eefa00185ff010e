/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The life of a process: how threads fold into their image, images into their process and
 * processes into their group.
 */
#pragma once

#include "births.h"
#include "calls.h"
#include "script_names.h"
#include "window.h"

/* From here on, counts of the old image and of the new one are kept apart: begin_image() uses that. */
static __noinline void enter_exec(struct task_value *value, struct task_struct *task)
{
	value->in_exec = 1;
	value->exec_min = task->min_flt;
	value->exec_maj = task->maj_flt;
	value->exec_old = 0;
}

/* `pid` is that of the leader of the process. */
static __always_inline void set_pid(struct process_value *process, struct pid *pid)
{
	if (!pid)
		return;
	process->pid = pid_at(pid, tracer_level);
	process->ns_pid = pid_at(pid, pid->level);
}

/*
 * Reads the name of the file that is executed: what execve was given, or for a script what its #!
 * line says. 0 if the kernel is locked down, or the name does not fit.
 */
static __always_inline __u32 read_name(struct exe_value *exe, struct linux_binprm *bprm)
{
	long length;

	if (!may_probe || !bprm)
		return 0;
	length = bpf_probe_read_kernel_str(exe->name, sizeof(exe->name), bprm->interp);
	return length > 0 && length < sizeof(exe->name) ? length : 0;
}

#define DEV_FD 0x2f64662f7665642full /* "/dev/fd/" */
#define PROC   0x2f636f72702full /* "/proc/" */
#define PROC_BITS ((1ull << 48) - 1)

/*
 * A hash that tells this name from others. 0: the name is unknown, or a link of the kernel's own to
 * a descriptor or to the executable of a process, whose numbers say nothing.
 */
static __noinline __u64 hash_name(struct linux_binprm *bprm)
{
	struct text name = { .hash = 1, .of_kernel = true };
	__u64 first[2] = {};

	if (!may_probe || !bprm)
		return 0;
	name.address = (__u64)bprm->interp;
	bpf_probe_read_kernel_str(first, 9, (void *)name.address);
	if (first[0] == DEV_FD || (first[0] & PROC_BITS) == PROC)
		return 0;
	bpf_loop(EXE_NAME_MAX / 8, hash_part, &name, 0);
	return name.hash | 1;
}

/* The number of the executable that the task runs, 0 if it could not be noted. */
static __noinline __u32 note_exe(struct task_struct *task, __s32 pid, struct linux_binprm *bprm, bool has_interp)
{
	struct inode *inode = executed_file(task);
	struct exe_key key = {};
	struct exe_value *exe;

	if (!inode)
		return 0;
	key.ino = inode->i_ino;
	key.dev = inode->i_sb->s_dev;
	key.name = hash_name(bprm);
	exe = find_or_zero(&exes, &key);
	if (!exe)
		return 0;
	if (!exe->index) {
		__u32 index = __sync_fetch_and_add(&last_exe, 1) + 1;

		if (__sync_val_compare_and_swap(&exe->index, 0, index) == 0) {
			exe->pid = pid;
			exe->has_interp = has_interp;
			exe->name_length = read_name(exe, bprm);
			ring(&(struct message){ MESSAGE_EXE, exe->pid, exe->index, key.ino, key.dev },
			     BPF_RB_FORCE_WAKEUP); /* others may lie before it that wake nobody */
		}
	}
	return exe->index;
}

/*
 * The value that the saved auxiliary vector has for a key; 0: none. 32-bit processes store 32-bit pairs; a
 * 64-bit first word can be no key then.
 */
static __always_inline __u64 auxv_value(struct mm_struct *mm, __u32 wanted)
{
	__u64 offset = bpf_core_field_offset(struct mm_struct, saved_auxv);
	unsigned long *auxv;
	bool compat;

	barrier_var(offset); /* else clang relocates auxv[0] as if it were the whole array */
	auxv = (void *)mm + offset;
	compat = auxv[0] >> 32;

#pragma unroll
	for (int i = 0; i < AUXV_WORDS; i += 2) {
		__u64 key = auxv[i], next = auxv[i + 1];

		if (compat) {
			if ((__u32)key == wanted)
				return key >> 32;
			if ((__u32)next == wanted)
				return next >> 32;
		} else if (key == wanted) {
			return next;
		}
	}
	return 0;
}

struct ldso_walk {
	struct task_struct *task;
	long err;
	__u64 end;
	__u64 ino;
	__u64 vma_end, vma_ino;
};

static long read_ldso_vma(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct ldso_walk *walk = context;
	struct file *file = plain(vma)->vm_file;

	walk->vma_end = vma->vm_end;
	walk->vma_ino = file ? file->f_inode->i_ino : 0;
	return 0;
}

static long extend_ldso(__u32 i, void *context)
{
	struct ldso_walk *walk = context;

	walk->err = find_vma(walk->task, plain(walk->task)->mm, walk->end, read_ldso_vma, walk);
	if (walk->err)
		return 1;
	if (i && walk->vma_ino != walk->ino)
		return 1;
	walk->ino = walk->vma_ino;
	walk->end = walk->vma_end;
	return 0;
}

/* Returns 0, or -EBUSY: unknown, because the mappings are being changed, or copied by a fork. */
static __noinline long find_ldso(struct task_value *value, struct task_struct *task)
{
	struct mm_struct *mm = plain(task)->mm;
	struct ldso_walk walk = { .task = task };

	value->ldso_start = value->ldso_end = value->ldso_unknown = 0;
	walk.end = mm ? auxv_value(mm, AT_BASE) : 0;
	if (!walk.end)
		return 0;
	value->ldso_start = walk.end;
	bpf_loop(8, extend_ldso, &walk, 0);
	value->ldso_end = walk.end;
	value->ldso_unknown = walk.err == -EBUSY;
	return walk.err == -EBUSY ? -EBUSY : 0;
}

__weak int find_current_ldso(struct task_value *value)
{
	if (value)
		find_ldso(value, bpf_get_current_task_btf());
	return 0;
}

/*
 * The kernel's own counters of a thread, as far as it is counted. (The barrier keeps clang from
 * choosing between two addresses: the verifier wants one kind of pointer at each load.)
 */
#define KERNEL_COUNTER(name, counter, at_stop)                                                     \
	static __always_inline __u64 name(const struct task_value *value, const struct task_struct *task) \
	{                                                                                          \
		__u64 faults = task->counter;                                                      \
                                                                                                   \
		barrier_var(faults);                                                               \
		return value->cut ? value->at_stop : faults;                                       \
	}

KERNEL_COUNTER(minor_faults, min_flt, stop_min)
KERNEL_COUNTER(major_faults, maj_flt, stop_maj)

/* All but the classes of faults is empty from here on. */
static __always_inline void begin_counts(struct task_value *value, __u64 min, __u64 maj)
{
	value->syscalls = value->denied = value->table_pages = 0;
	value->min_base = min;
	value->maj_base = maj;
}

/*
 * The faults of one class, for flush_image() and add_image(): functions of their own, so that the verifier follows them
 * once, and not for each class. Returns how many there are, if they are summed up.
 */
__weak __u64 flush_class(struct task_value *value, struct process_value *process, struct image_counts *sum, __u32 class)
{
	__u64 known = 0;

	if (!value || !process || class >= FAULT_CLASSES)
		return 0;
	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		__u64 *faults = &process->image.faults.by[actor][class];

		add(faults, value->faults[actor][class]);
		value->faults[actor][class] = 0;
		if (!sum)
			continue;
		add(&sum->faults.by[actor][class], *faults);
		known += *faults;
	}
	if (known)
		process->sums[METRIC_CLASS + class] += known;
	return known;
}

__weak int add_class(struct image_counts *sum, const struct image_counts *image, __u32 class)
{
	if (!sum || !image || class >= FAULT_CLASSES)
		return 0;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		add(&sum->faults.by[actor][class], image->faults.by[actor][class]);
	return 0;
}

static __always_inline void add_totals(struct image_counts *sum, const struct image_counts *image)
{
	add(&sum->syscalls, image->syscalls);
	add(&sum->denied, image->denied);
	add(&sum->faults.page_table_pages, image->faults.page_table_pages);
	add(&sum->faults.total, image->faults.total);
	add(&sum->faults.major, image->faults.major);
}

__weak int add_image(struct image_counts *sum, const struct image_counts *image)
{
	if (!sum || !image)
		return 0;
	for (__u32 class = 0; class < FAULT_CLASSES; class++)
		add_class(sum, image, class);
	add_totals(sum, image);
	return 0;
}

/*
 * Adds the thread's counts to its image and empties them. `min`, `maj`: the kernel's counters. With `sum` the image
 * ends, and this is its last thread: then the image is added to `sum`, and to the sums of the process.
 */
__weak int flush_image(struct task_value *value, struct process_value *process, struct image_counts *sum, __u64 min,
		       __u64 maj)
{
	struct image_counts *image;
	__u64 known = 0;

	if (!value || !process)
		return 0;
	image = &process->image;
	for (__u32 class = 0; class < FAULT_CLASSES; class++)
		known += flush_class(value, process, sum, class);
	add(&image->syscalls, value->syscalls);
	add(&image->denied, value->denied);
	add(&image->faults.page_table_pages, value->table_pages);
	add(&image->faults.total, min - value->min_base + maj - value->maj_base);
	add(&image->faults.major, maj - value->maj_base);
	begin_counts(value, min, maj);
	if (!sum)
		return 0;
	process->sums[METRIC_SYSCALLS] += image->syscalls;
	process->sums[METRIC_FAULTS] += image->faults.total;
	process->sums[METRIC_UNATTRIBUTED] += image->faults.total > known ? image->faults.total - known : 0;
	process->minflt += image->faults.total - image->faults.major;
	process->majflt += image->faults.major;
	add_totals(sum, image);
	return 0;
}

/*
 * The group of a process whose fate is now known. Roots all belong to the one with index 0, which user space created.
 */
static __noinline struct group_value *find_group(struct process_value *process, __u32 exec_target)
{
	struct group_key key = {};
	struct group_value *group;

	if (process->birth == BIRTH_ROOT || process->birth == BIRTH_ATTACHED) {
		key.birth = BIRTH_ROOT;
		return bpf_map_lookup_elem(&groups, &key);
	}
	key.parent_exe = process->parent_exe;
	key.birth = process->birth;
	key.exec_target = exec_target;
	group = find_or_zero(&groups, &key);
	if (!group)
		return NULL;
	if (!group->first && __sync_val_compare_and_swap(&group->first, 0, process->id) == 0)
		process->kept = 1;
	if (!group->index) {
		__u32 index = __sync_fetch_and_add(&last_group, 1) + 1;

		__sync_val_compare_and_swap(&group->index, 0, index);
	}
	return group;
}

/* Adds an image, whose counts are complete, to those that are kept of its process. */
__weak int keep_image(struct process_value *process)
{
	struct image_key key = {};
	struct image_value *image;

	if (!process || !process->kept)
		return 0;
	key.process = process->id;
	key.index = process->images < IMAGES_MOST ? process->images : IMAGES_MOST - 1;
	image = find_or_zero(&images, &key);
	if (!image)
		return 0;
	if (key.index == process->images) {
		image->exe = process->exe;
		image->kind = process->kind;
	}
	return add_image(&image->counts, &process->image);
}

static struct image_counts groupless; /* images whose group found no room */

/*
 * Ends the current image of a process: all its threads but the calling one have ended. The first
 * image decides the group: by what the process became, or by nothing if it just ended.
 */
static __always_inline struct group_value *end_image(struct task_value *value, struct task_struct *task,
						     struct process_value *process,
						     __u32 exec_target, __u64 min, __u64 maj)
{
	struct group_value *group;

	group = find_group(process, process->images ? process->exec_target : exec_target);
	if (!process->images)
		process->exec_target = exec_target;
	process->group = group ? group->index : 0;
	flush_calls(value, process, true);
	flush_process_calls(process);
	flush_image(value, process,
		    !group ? &groupless : process->kind == IMAGE_EXEC ? &group->execd : &group->inherited, min, maj);
	if (process->recorded)
		record_image(process, process->group);
	keep_image(process);
	process->images++;
	__builtin_memset(&process->image, 0, sizeof(process->image));
	process->unsampled = 0;
	return group;
}

static __always_inline void forget_task(struct task_value *value, struct task_struct *task)
{
	__u64 key = (__u64)task;

	if (value->put_off)
		__sync_fetch_and_add(&leaving, -1);
	if (anatomy && value->recorded)
		bpf_map_delete_elem(&recorders, &key);
	if (stacks_wanted)
		bpf_map_delete_elem(&stack_works, &key);
	remove_task(value, task);
}

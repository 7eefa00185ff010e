/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Classifies a fault by the mapping of its address.
 */
#ifndef FORKTAX_VMA_H
#define FORKTAX_VMA_H

#include "find_vma.h"

struct vma_answer {
	__u64 start, end;
	__u64 flags;
	__u32 is_anonymous;
	__u32 changed;
};

static long read_vma(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct vma_answer *answer = context;

	answer->start = vma->vm_start;
	answer->end = vma->vm_end;
	answer->flags = vma->vm_flags;
	/* As vma_is_anonymous() has it: a private mapping of /dev/zero has a file, and is anonymous. */
	answer->is_anonymous = plain(vma)->vm_ops == NULL;
	answer->changed = last_change(vma);
	return 0;
}

static __always_inline bool is_within(const struct known_vma *known, __u64 address)
{
	return address >= known->start && address < known->end;
}

/*
 * Finds the mapping of an address, if it is not the one known already. (The version is read first: of a
 * change in between it is then too old.)
 */
static __always_inline long know_vma(struct known_vma *known, struct task_struct *task,
				     struct mm_struct *mm, __u64 address)
{
	struct vma_answer answer = {};
	__u32 version = 0;
	long err;

	if (mappings_version(mm, &version) && is_within(known, address) && version == known->version)
		return 0;
	err = find_vma(task, mm, address, read_vma, &answer);
	if (err == -EBUSY)
		lose(LOSS_VMA_BUSY);
	if (err)
		return err;
	known->start = answer.start;
	known->end = answer.end;
	known->flags = answer.flags;
	known->is_anonymous = answer.is_anonymous;
	known->changed = answer.changed;
	known->version = version;
	return 0;
}

/* Classifies a fault that left no trace but itself, by the mapping that is known. */
static __always_inline int solve_known(const struct known_vma *vma, __u64 address, __u32 evidence)
{
	__u32 class = is_within(vma, address) ? classify_by_mapping(vma, evidence) : FAULT_OTHER;

	if (class != FAULT_UNDECIDED)
		return class;
	lose(LOSS_UNKNOWN_ACCESS);
	return FAULT_OTHER;
}

/*
 * Has somebody else put this mapping there, or changed it, since the fault? A thread changes mappings by
 * system calls, before which its own faults are looked up; but for the stack, which grows by its faults.
 */
static __always_inline bool is_changed_since(const struct known_vma *vma, __u32 version)
{
	return tells_changes() && !(vma->flags & VM_GROWSDOWN) &&
	       (__s32)(vma->changed - version) >= 0;
}

/* The same, with the mapping looked up; `version`: of the mappings at the fault. */
static __always_inline int solve_for(struct task_struct *task, struct known_vma *vma,
				     __u64 address, __u32 evidence, __u32 version)
{
	struct mm_struct *mm = plain(task)->mm;

	if (!mm || know_vma(vma, task, mm, address) || is_changed_since(vma, version))
		return FAULT_OTHER;
	return solve_known(vma, address, evidence);
}

/* Looks a mapping up at once, for faults that will get no better moment. */
__weak int know_current_vma(struct known_vma *vma, __u64 address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = plain(task)->mm;

	if (vma && mm)
		know_vma(vma, task, mm, address);
	return 0;
}

/*
 * Classifies such a fault of the current task. A global function, as are all that load kernel
 * pointers: the verifier checks it once by itself rather than on every path to every call. Each
 * load of a pointer through a trusted one makes it search all of the kernel's BTF, which took most
 * of a second before the command could start (Linux 6.18).
 */
__weak int solve(struct known_vma *vma, __u64 address, __u32 evidence, __u32 version)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return vma ? solve_for(task, vma, address, evidence, version) : FAULT_OTHER;
}

#endif

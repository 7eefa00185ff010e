/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Finds the mapping of an address, and classifies a fault by it.
 */
#pragma once

#include "maps.h"

/*
 * A mapping is found also where bpf_find_vma() does not find it.
 *
 * That helper takes the lock of the address space. Where interrupts are off, as in the page-fault tracepoints, it
 * gives the lock back by an irq_work. Each CPU has one irq_work for all BPF programs, which stays busy until interrupts
 * are on again. So the second program that asks in the same tracepoint, that of another forktax for example, is refused
 * (EBUSY). Then the tree of mappings is read here without the lock. What is found counts only if nobody was changing
 * mappings before and after.
 */

/* lib/maple_tree.c, since Linux 6.1: a reference to a node has its type in these bits. */
#define MAPLE_STEPS	 128 /* 8 levels of up to 16 ways: more than any address space needs */
#define MAPLE_TYPE_SHIFT 3
#define MAPLE_NODE_MASK	 255ul
#define MAPLE_LEAF	 1 /* enum maple_type */
#define MAPLE_RANGE	 2
#define MAPLE_ARANGE	 3
#define RWSEM_WRITER	 1 /* kernel/locking/rwsem.c */

struct maple_node_layout {
	__u32 pivots, slots; /* offsets */
	__u32 count; /* of pivots */
};

#define MAPLE_OFFSET(node, member) bpf_core_field_offset(struct maple_##node##_64, member)
#define MAPLE_PIVOTS(node)	   (bpf_core_field_size(struct maple_##node##_64, pivot) / sizeof(__u64))

/* By arithmetic: the verifier would follow each choice. `type`: one of the three. */
static __always_inline struct maple_node_layout maple_layout(__u32 type)
{
	__u32 arange = type / 2 & type; /* 1 for MAPLE_ARANGE, and 0 for the others */

	barrier_var(arange);
	return (struct maple_node_layout){
		MAPLE_OFFSET(range, pivot) + arange * (MAPLE_OFFSET(arange, pivot) - MAPLE_OFFSET(range, pivot)),
		MAPLE_OFFSET(range, slot) + arange * (MAPLE_OFFSET(arange, slot) - MAPLE_OFFSET(range, slot)),
		MAPLE_PIVOTS(range) + arange * (MAPLE_PIVOTS(arange) - MAPLE_PIVOTS(range)),
	};
}

struct mapping_search {
	__u64 entry, address;
	__u32 first; /* step that looked at the node's first pivot */
	__u32 above; /* the leaf; 0: it has been reached */
};

/*
 * Descends to the first child whose pivot, its last address, is not below; the last child has none. Each step looks
 * at one pivot. Its index is made from `n`, which has no known value for the verifier: it checks a step twice, and not
 * once for each pivot of each level.
 */
static long search_step(__u32 n, void *context)
{
	struct mapping_search *search = context;
	const __u64 node = search->entry & ~MAPLE_NODE_MASK;
	const __u32 type = search->entry >> MAPLE_TYPE_SHIFT & 15, index = n - search->first;
	const struct maple_node_layout layout = maple_layout(type);
	__u64 pivot;

	if (type < MAPLE_LEAF || type > MAPLE_ARANGE) /* no node at all, for one */
		return 1;
	if (index < layout.count) {
		pivot = kernel_word((void *)(node + layout.pivots + index * sizeof(__u64)));
		if (pivot - 1 < search->address - 1) /* a pivot of 0 is none */
			return 0;
	}
	search->entry = kernel_word((void *)(node + layout.slots + index * sizeof(__u64)));
	search->first = n + 1;
	search->above = type - MAPLE_LEAF;
	return !search->above;
}

/* The mapping of an address, by the tree with this root; 0: none, or it is no such tree. */
__weak __u64 search_mappings(__u64 root, __u64 address)
{
	struct mapping_search search = { .address = address, .above = MAPLE_STEPS };

	if (!may_probe || (root & 3) != 2) /* xa_is_node() */
		return 0;
	search.entry = root;
	bpf_loop(MAPLE_STEPS, search_step, &search, 0);
	return search.above ? 0 : search.entry;
}

static __always_inline bool is_locked_for_change(struct mm_struct *mm)
{
	return !bpf_core_field_exists(mm->mmap_lock.count) || mm->mmap_lock.count.counter & RWSEM_WRITER;
}

typedef long (*vma_reader)(struct task_struct *task, struct vm_area_struct *vma, void *answer);

/* Without the lock. */
static __always_inline long find_vma_unlocked(struct task_struct *task, struct mm_struct *mm, __u64 address,
					      vma_reader read, void *answer)
{
	__u32 version = 0, after = 0;
	struct vm_area_struct *vma;

	if (!may_cast || !may_probe || !mappings_version(mm, &version) || is_locked_for_change(mm))
		return -EBUSY;
	vma = cast((void *)search_mappings(kernel_word(&mm->mm_mt.ma_root), address), vma_type);
	if (!vma || vma->vm_mm != mm || address < vma->vm_start || address >= vma->vm_end)
		return -EBUSY;
	read(task, vma, answer);
	mappings_version(mm, &after);
	return is_locked_for_change(mm) || version != after ? -EBUSY : 0;
}

/* As bpf_find_vma(). `read` stores what it wants to know; `mm`: of the task. */
static __always_inline long find_vma(struct task_struct *task, struct mm_struct *mm, __u64 address,
				     vma_reader read, void *answer)
{
	long err = bpf_find_vma(task, address, read, answer, 0);

	return err == -EBUSY && mm ? find_vma_unlocked(task, mm, address, read, answer) : err;
}

static long read_vma(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct known_vma *answer = context;

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
	struct known_vma answer = {};
	long err;

	if (mappings_version(mm, &answer.version) && is_within(known, address) && answer.version == known->version)
		return 0;
	err = find_vma(task, mm, address, read_vma, &answer);
	if (err == -EBUSY)
		lose(LOSS_VMA_BUSY);
	if (err)
		return err;
	*known = answer;
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
	return tells_changes() && !(vma->flags & VM_GROWSDOWN) && (__s32)(vma->changed - version) >= 0;
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
 * Classifies such a fault of the current task. A global function, as are all that load kernel pointers: the verifier
 * checks it once by itself rather than on every path to every call. Each load of a pointer through a trusted one makes
 * it search all of the kernel's BTF, which took most of a second before the command could start (Linux 6.18).
 */
__weak int solve(struct known_vma *vma, __u64 address, __u32 evidence, __u32 version)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return vma ? solve_for(task, vma, address, evidence, version) : FAULT_OTHER;
}

/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Finds the mapping of an address, also where bpf_find_vma() does not.
 *
 * That helper takes the lock of the address space, and gives it back by a "work" of which each CPU has one for all
 * BPF programs if interrupts are off, as in the page-fault tracepoints. It stays busy until interrupts are on again:
 * the second program that asks in the same tracepoint, that of another forktax for example, is refused (EBUSY). Then
 * the tree of mappings is read here without the lock. What is found counts only if nobody was changing mappings
 * before and after.
 */
#ifndef FORKTAX_FIND_VMA_H
#define FORKTAX_FIND_VMA_H

#include "maps.h"

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

static __always_inline bool maple_layout(__u32 type, struct maple_node_layout *layout)
{
	if (type == MAPLE_ARANGE) {
		layout->pivots = bpf_core_field_offset(struct maple_arange_64, pivot);
		layout->slots = bpf_core_field_offset(struct maple_arange_64, slot);
		layout->count = bpf_core_field_size(struct maple_arange_64, pivot) / sizeof(__u64);
		return true;
	}
	layout->pivots = bpf_core_field_offset(struct maple_range_64, pivot);
	layout->slots = bpf_core_field_offset(struct maple_range_64, slot);
	layout->count = bpf_core_field_size(struct maple_range_64, pivot) / sizeof(__u64);
	return type == MAPLE_RANGE || type == MAPLE_LEAF;
}

static __always_inline __u64 kernel_word(__u64 at)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (void *)at);
	return word;
}

struct mapping_search {
	__u64 entry, address;
	__u32 first; /* step that looked at the node's first pivot */
	bool found;
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
	struct maple_node_layout layout;
	__u64 pivot;

	if (!search->entry || !maple_layout(type, &layout))
		return 1;
	if (index < layout.count) {
		pivot = kernel_word(node + layout.pivots + index * sizeof(__u64));
		if (pivot && pivot < search->address)
			return 0;
	}
	search->entry = kernel_word(node + layout.slots + index * sizeof(__u64));
	search->first = n + 1;
	search->found = type == MAPLE_LEAF;
	return search->found;
}

/* The mapping of an address, by the tree with this root; 0: none, or it is no such tree. */
__weak __u64 search_mappings(__u64 root, __u64 address)
{
	struct mapping_search search = { .address = address };

	if (!may_probe || (root & 3) != 2) /* xa_is_node(); global: it is verified where it is not called, too */
		return 0;
	search.entry = root;
	bpf_loop(MAPLE_STEPS, search_step, &search, 0);
	return search.found ? search.entry : 0;
}

static __always_inline bool is_locked_for_change(struct mm_struct *mm)
{
	return !bpf_core_field_exists(mm->mmap_lock.count) || mm->mmap_lock.count.counter & RWSEM_WRITER;
}

/* As a number, of which the verifier asks nothing. */
static __always_inline __u64 first_mapping_node(struct mm_struct *mm)
{
	__u64 node = 0;

	bpf_probe_read_kernel(&node, sizeof(node), &mm->mm_mt.ma_root);
	return node;
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
	vma = cast((void *)search_mappings(first_mapping_node(mm), address), vma_type);
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

#endif

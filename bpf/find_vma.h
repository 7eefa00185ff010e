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
#define MAPLE_LEVELS	 8 /* 10 ways and more at each: more than any address space needs */
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

/* The first child whose last address, its pivot, is not below; the last child has none. */
static __always_inline __u64 maple_child(__u64 node, const struct maple_node_layout *layout, __u64 address)
{
	__u32 i = 0;

	for (; i < 15 && i < layout->count; i++) {
		__u64 pivot = kernel_word(node + layout->pivots + i * sizeof(__u64));

		if (pivot >= address || !pivot)
			break;
	}
	return kernel_word(node + layout->slots + i * sizeof(__u64));
}

/* The mapping of an address, by the tree with this root; 0: none, or it is no such tree. Global to be verified once. */
__weak __u64 search_mappings(__u64 root, __u64 address)
{
	struct maple_node_layout layout;
	__u64 entry = (root & 3) == 2 ? root : 0; /* xa_is_node() */

	for (int level = 0; level < MAPLE_LEVELS; level++) {
		const __u32 type = entry >> MAPLE_TYPE_SHIFT & 15;

		if (!entry || !maple_layout(type, &layout))
			return 0;
		entry = maple_child(entry & ~MAPLE_NODE_MASK, &layout, address);
		if (type == MAPLE_LEAF)
			return entry;
	}
	return 0;
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

	if (!may_cast || !mappings_version(mm, &version) || is_locked_for_change(mm))
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

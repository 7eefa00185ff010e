/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Looks at page-table entries (x86-64), for the one question that nothing else answers: did a read
 * of a missing page map the zero page, or did it find a page that was back already? Nothing is
 * allocated or counted either way.
 *
 * Tables name each other by physical address. The kernel maps all memory once more at a random
 * multiple of 1 GiB (kernel_randomize_memory(), arch/x86/mm/kaslr.c), the direct map: there they can
 * be read.
 */
#ifndef FORKTAX_PAGE_TABLES_H
#define FORKTAX_PAGE_TABLES_H

#include "maps.h"

#define PAGE_SHIFT    12
#define TABLE_BITS    9
#define GIB_SHIFT     30
#define DIRECT_MAP_OF_4_LEVELS 0xffff800000000000ull /* with tables of 5 levels it is below that */

struct entry {
	__u64 value;
	__u32 shift; /* it maps 1 << shift bytes */
};

/* Finds the entry that maps an address. `base`: of the direct map; `top`: the first table, as the kernel sees it. */
static __always_inline bool find_entry(__u64 base, __u64 top, __u64 address, struct entry *found)
{
	__u64 table = top;

	for (int shift = PAGE_SHIFT + 4 * TABLE_BITS; shift >= PAGE_SHIFT; shift -= TABLE_BITS) {
		__u64 at = table + ((address >> shift & ((1 << TABLE_BITS) - 1)) * sizeof(__u64));

		if (shift == PAGE_SHIFT + 4 * TABLE_BITS && top >= DIRECT_MAP_OF_4_LEVELS)
			continue;
		if (bpf_probe_read_kernel(&found->value, sizeof(found->value), (void *)at) ||
		    !(found->value & ENTRY_PRESENT))
			return false;
		found->shift = shift;
		if (shift == PAGE_SHIFT || found->value & ENTRY_HUGE)
			return true;
		if ((found->value & ENTRY_FRAME) >= memory_end)
			return false;
		table = base + (found->value & ENTRY_FRAME);
	}
	return false;
}

/* As a number: the verifier allows no arithmetic with a pointer. */
static __always_inline __u64 first_table(struct mm_struct *mm)
{
	__u64 top = 0;

	bpf_probe_read_kernel(&top, sizeof(top), &mm->pgd);
	return top;
}

/*
 * Is this where the direct map begins? The first table is in it, so the tables must lead from the table's
 * address to where it is in memory. Candidates come from the lowest up: what is read lies below the end
 * of the memory, or below the map, where there is nothing.
 */
static long try_direct_map(__u32 i, void *context)
{
	__u64 top = *(__u64 *)context, gib = (memory_end >> GIB_SHIFT) - i;
	__u64 base = (top & ~((1ull << GIB_SHIFT) - 1)) - (gib << GIB_SHIFT), within;
	struct entry found = {};

	if (!find_entry(base, top, top, &found))
		return 0;
	within = (1ull << found.shift) - 1;
	if ((found.value & ENTRY_FRAME & ~within) + (top & within) != top - base)
		return 0;
	direct_map = base;
	return 1;
}

/* Run once by user space, before anything is counted. */
SEC("syscall") int find_direct_map(void *context)
{
	struct mm_struct *mm = bpf_get_current_task_btf()->mm;
	__u64 top;

	if (!mm)
		return 0;
	top = first_table(mm);
	bpf_loop((memory_end >> GIB_SHIFT) + 1, try_direct_map, &top, 0);
	return 0;
}

/*
 * Writes of processes with several threads: when the last one was to any of the pages that share a slot. A page
 * that was written after it was read tells nothing about the read. `mm`: as in struct task_value.
 */
#define WRITE_SLOTS (1 << 15)

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WRITE_SLOTS);
	__type(key, __u32);
	__type(value, __u64);
} page_writes SEC(".maps");

static __always_inline __u64 *last_write(__u64 mm, __u64 address)
{
	__u32 slot = ((address >> PAGE_SHIFT) + (mm >> TABLE_BITS)) & (WRITE_SLOTS - 1);

	return bpf_map_lookup_elem(&page_writes, &slot);
}

static __always_inline void note_write(__u64 mm, __u64 address)
{
	__u64 *ns = last_write(mm, address);

	if (ns)
		*ns = bpf_ktime_get_ns();
}

/*
 * Did this read of a missing page find one that was there already? `since`: when the fault was, if other
 * threads may have written since; else 0.
 */
__weak int found_page(__u64 mm, __u64 address, __u64 since)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *memory = plain(task)->mm;
	struct entry found = {};
	__u64 *written;

	if (!memory || !may_probe || !direct_map)
		return false;
	written = last_write(mm, address);
	if (!written || (since && *written >= since))
		return false;
	return find_entry(direct_map, first_table(memory), address, &found) &&
	       found.shift == PAGE_SHIFT &&
	       (found.value & ENTRY_FRAME) != zero_frame << PAGE_SHIFT;
}

#endif

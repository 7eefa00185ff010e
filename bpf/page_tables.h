/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Looks at page-table entries. Everywhere for one question: did a read of a missing page map the zero page, or did it
 * find a page that was back already? Nothing is allocated or counted either way. And where the CPU leaves the access
 * flag to the kernel: was the page there, and only its flag missing?
 *
 * Tables name each other by physical address. The kernel maps all memory once more, the direct map: there they can be
 * read. Where that begins, find_direct_map() finds out.
 */
#pragma once

#include "maps.h"

#define TABLE_LEVELS 5

struct entry {
	__u64 value;
	__u32 shift; /* it maps 1 << shift bytes */
};

/* Finds the entry that maps an address. `base`: of the direct map; `top`: the first table, as the kernel sees it. */
static __always_inline bool find_entry(__u64 base, __u64 top, __u64 address, struct entry *found)
{
	int shift = top_shift(top);
	__u64 table = top;

	/* The last table is that of pages. The verifier may not know which one is: it goes by the levels. */
#pragma unroll
	for (int level = 0; level < TABLE_LEVELS; level++) {
		__u64 at = table + ((address >> shift & ((1 << TABLE_BITS) - 1)) * sizeof(__u64));

		if (bpf_probe_read_kernel(&found->value, sizeof(found->value), (void *)at) ||
		    !(found->value & ENTRY_PRESENT))
			return false;
		found->shift = shift;
		if (shift == PAGE_SHIFT || is_huge_entry(found->value))
			return true;
		if (frame_of(found->value) >= memory_end)
			return false;
		table = base + frame_of(found->value);
		shift -= TABLE_BITS;
	}
	return false;
}

/* Of the current task, for find_direct_map(): libbpf itself loads that, so it has no plain() (drift.h). */
static __always_inline struct mm_struct *own_memory(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = NULL;

	bpf_core_read(&mm, sizeof(mm), &task->mm);
	return mm;
}

/*
 * Writes of processes with several threads: when the last one was to any of the pages that share a slot. A page
 * that was written after it was read tells nothing about the read. `mm`: as in struct task_value.
 */
#define WRITE_SLOTS (1 << 15)

ARRAY_MAP(page_writes, __u64, WRITE_SLOTS);

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
	return find_entry(direct_map, kernel_word(&memory->pgd), address, &found) && found.shift == PAGE_SHIFT &&
	       frame_of(found.value) != zero_frame << PAGE_SHIFT;
}

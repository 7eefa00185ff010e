/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The class of a page fault, by what is known of it: docs/reference/fault-classes.md has this as tables, with
 * the reason of every line. Machines tell different things (arch.h), so two answers have a bit each that says
 * whether they are known.
 *
 * No names of the kernel's or of libbpf: a unit test goes through all evidence.
 */
#pragma once

#include "task.h"

/* Evidence. The first three as in the error code of x86; they are not set where the answer is not known. */
#define FAULT_PRESENT	    0x001 /* the page was there */
#define FAULT_WRITE	    0x002 /* the access was a write, else a read */
#define FAULT_FETCH	    0x010 /* ... of an instruction */
#define FAULT_FILLED	    0x008 /* a page was zeroed for it, while the cache of counters was folded */
#define FAULT_PRESENT_KNOWN 0x020
#define FAULT_WRITE_KNOWN   0x040
#define FAULT_FOUND	    0x080 /* the page was there already when the kernel looked */
#define FAULT_COPIED	    0x100 /* a user page was allocated, and not zeroed */
#define FAULT_OLD	    0x200 /* the page-table entry allowed the access, but for its access flag */
#define FAULT_ATOMIC	    0x400 /* the instruction reads and writes */
#define FAULT_MAYBE_OLD	    0x800 /* the CPU leaves the access flag to the kernel, and the entry could not be read */

/*
 * Of each machine: bits that every fault has, and bits that none has. The compiler drops the questions that they
 * answer. (These are for who includes this file alone.)
 */
#ifndef ALWAYS_SEEN
#define ALWAYS_SEEN 0
#define NEVER_SEEN  0
#endif

/* Counters of resident pages: include/linux/mm_types_task.h. */
#define MM_FILEPAGES  0
#define MM_ANONPAGES  1
#define MM_SWAPENTS   2
#define MM_SHMEMPAGES 3

#define VM_WRITE	0x00000002UL /* include/linux/mm.h */
#define VM_EXEC		0x00000004UL
#define VM_SHARED	0x00000008UL
#define VM_GROWSDOWN	0x00000100UL
#define VM_UFFD_MISSING 0x00000200UL
#define VM_PFNMAP	0x00000400UL
#define VM_UFFD_WP	0x00001000UL
#define VM_IO		0x00004000UL
#define VM_HUGETLB	0x00400000UL
#define VM_MIXEDMAP	0x10000000UL

/* The class is not known yet: only the mapping can tell it. */
#define FAULT_PUZZLE FAULT_COUNT

/* The fault has not completed: it is none. */
#define FAULT_NONE (FAULT_COUNT + 1)

/* Neither can the mapping: whether the access was a write is not known, and it decides. */
#define FAULT_UNDECIDED (FAULT_COUNT + 2)

#define CLASSIFY static inline __attribute__((always_inline))

CLASSIFY int has_evidence(__u32 evidence, __u32 bit)
{
	return ((evidence | ALWAYS_SEEN) & ~NEVER_SEEN & bit) != 0;
}

CLASSIFY int may_be_present(__u32 evidence)
{
	return !has_evidence(evidence, FAULT_PRESENT_KNOWN) || evidence & FAULT_PRESENT;
}

CLASSIFY int may_be_write(__u32 evidence)
{
	return !has_evidence(evidence, FAULT_WRITE_KNOWN) || evidence & FAULT_WRITE;
}

/* A write to a page that is there? */
CLASSIFY int may_copy(__u32 evidence)
{
	return may_be_present(evidence) && may_be_write(evidence);
}

CLASSIFY int changed(const struct window *window, int member)
{
	return window->effects.rss & (1 << member);
}

CLASSIFY int is_copied(const struct window *window)
{
	return window->effects.pages && !window->effects.zeroed;
}

/* `caches`: the kernel caches the counters of each thread (drift.h). Adds evidence for the look at the mapping. */
CLASSIFY __u32 classify(struct window *window, int caches)
{
	const __u32 evidence = window->evidence;

	if (changed(window, MM_SWAPENTS))
		return FAULT_SWAP_IN;
	if (has_evidence(evidence, FAULT_OLD) && !window->effects.rss && !window->effects.pages)
		return FAULT_ACCESS_FLAG;
	if (evidence & FAULT_PRESENT && !may_be_write(evidence))
		return FAULT_OTHER;
	if (changed(window, MM_ANONPAGES)) {
		if (changed(window, MM_FILEPAGES) || changed(window, MM_SHMEMPAGES))
			return FAULT_FILE_COW;
		if (window->effects.zeroed)
			return FAULT_ZERO_FILL;
		return window->effects.pages ? FAULT_FILE_COW : FAULT_OTHER;
	}
	if (changed(window, MM_SHMEMPAGES))
		return evidence & FAULT_PRESENT ? FAULT_SHARED_WRITE : FAULT_SHMEM;
	if (changed(window, MM_FILEPAGES))
		return evidence & FAULT_PRESENT ? FAULT_SHARED_WRITE : FAULT_FILE_MAP;
	if (evidence & FAULT_PRESENT && is_copied(window))
		return FAULT_COW_COPY;
	if (!has_evidence(evidence, FAULT_PRESENT_KNOWN) && is_copied(window))
		window->evidence |= FAULT_COPIED;
	if (caches && !(evidence & FAULT_PRESENT) && window->effects.zeroed == HUGE)
		window->evidence |= FAULT_FILLED;
	return FAULT_PUZZLE;
}

/* Whether the page was there is not known. A write that changes no counter is taken for one to a page that was. */
CLASSIFY __u32 classify_write(const struct known_vma *vma, __u32 evidence)
{
	if (vma->flags & VM_SHARED)
		return FAULT_SHARED_WRITE;
	return evidence & FAULT_COPIED ? FAULT_COW_COPY : FAULT_COW_REUSE;
}

CLASSIFY __u32 classify_read(const struct known_vma *vma, __u32 evidence)
{
	return vma->is_anonymous && !(evidence & FAULT_FOUND) ? FAULT_ZERO_PAGE : FAULT_OTHER;
}

/* Classifies a fault that left no trace but itself, by the mapping of its address. */
CLASSIFY __u32 classify_by_mapping(const struct known_vma *vma, __u32 evidence)
{
	if (vma->flags & (VM_HUGETLB | VM_UFFD_MISSING | VM_UFFD_WP))
		return FAULT_OTHER;
	if (vma->flags & (VM_PFNMAP | VM_IO | VM_MIXEDMAP))
		return evidence & FAULT_PRESENT ? FAULT_OTHER : FAULT_PFN_MAP;
	if (evidence & FAULT_PRESENT)
		return vma->flags & VM_SHARED ? FAULT_SHARED_WRITE : FAULT_COW_REUSE;
	if (vma->is_anonymous && evidence & FAULT_FILLED)
		return FAULT_ZERO_FILL;
	if (has_evidence(evidence, FAULT_PRESENT_KNOWN))
		return vma->is_anonymous && !(evidence & (FAULT_WRITE | FAULT_FOUND)) ? FAULT_ZERO_PAGE : FAULT_OTHER;
	if (has_evidence(evidence, FAULT_MAYBE_OLD) && (vma->flags & VM_SHARED || !(evidence & FAULT_COPIED)))
		return FAULT_UNDECIDED;
	if (evidence & FAULT_WRITE)
		return classify_write(vma, evidence);
	if (!may_be_write(evidence) || !(vma->flags & VM_WRITE))
		return classify_read(vma, evidence);
	if (evidence & FAULT_COPIED && !(vma->flags & VM_SHARED))
		return FAULT_COW_COPY;
	return FAULT_UNDECIDED;
}

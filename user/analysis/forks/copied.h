/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What fork copies of the parent of a group: entries of page tables, and the descriptions of mappings; and how long
 * that takes by calibrated costs.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_COPIED_H
#define FORKTAX_ANALYSIS_FORKS_COPIED_H

#include "model/run/run.h"

struct copied {
	double small, huge; /* pages: fork copies an entry for a small one, a table for a huge one */
	double vmas; /* mappings whose page tables are copied */
	double tables; /* page tables beyond those that the small ones would take side by side */
};

/* Small pages that a page table refers to, and that a huge page has. */
static inline double copied__pages_per_table(const struct run *run)
{
	return (double)run__page_bytes(run) / sizeof(uint64_t);
}

/* Bytes that a page table covers, and that a huge page has. */
static inline double copied__huge_bytes(const struct run *run)
{
	return copied__pages_per_table(run) * run__page_bytes(run);
}

/* What fork copies of one mapping; nothing if it does not copy its tables. */
struct copied copied__of(const struct run *run, const struct layout_vma *vma);

/* What it copies of the parent, at its first fork; all 0 without a layout. */
struct copied copied__all(const struct run *run, uint32_t group);

/* The pages in memory that the program has made itself: heap and anonymous mappings. */
struct copied copied__memory(const struct run *run, uint32_t group);

/*
 * A calibrated cost of copying, COST_FORK_PAGE or COST_VMA, as it is in this parent. If the parent has
 * more than stays in the caches next to the CPU from fork to fork, it is the cost with cold caches,
 * and that of a page goes on to COST_FORK_UNCACHED the more memory fork walks through; the interval
 * reaches up to what the median of the recorded fork calls implies: rather too much, as that
 * includes tracing.
 */
struct estimate copied__cost(const struct run *run, uint32_t group, enum cost cost);

/*
 * The longest that the fork call should take by calibrated costs, ns; NAN: not known. What it takes far beyond that
 * is none of this: descriptors, pinned pages, a lock. The costs say nothing of such a call.
 */
double copied__longest_call(const struct run *run, uint32_t group);

/* Does even the shortest call, which did not wait for a CPU, take so much longer that the costs do not hold? */
bool copied__is_beyond(const struct run *run, uint32_t group);

/* What else fork copies, and so much of it that it counts. */
enum copied_else {
	COPIED_NOTHING_ELSE,
	COPIED_PINNED, /* pages that a device may write to: at once; the costs do not hold for this parent */
	COPIED_DESCRIPTORS, /* a pointer for each, and a reference to its file, which the child's end gives back */
};
enum copied_else copied__else(const struct run *run, uint32_t group);

#endif

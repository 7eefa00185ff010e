/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What fork copies of a parent: entries of page tables, and the descriptions of mappings.
 */
#ifndef FORKTAX_ADVICE_COPIED_H
#define FORKTAX_ADVICE_COPIED_H

#include "advice/subject.h"

struct copied {
	double small, huge; /* pages: fork copies an entry for a small one, a table for a huge one */
	double vmas; /* mappings whose page tables are copied */
	double tables; /* page tables beyond those that the small ones would take side by side */
};

/* What fork copies of one mapping; nothing if it does not copy its tables. */
struct copied copied__of(const struct subject *subject, const struct layout_vma *vma);

/* What it copies of the parent, at its first fork; all 0 without a layout. */
struct copied copied__all(const struct subject *subject);

/* The pages in memory that the program has made itself: heap and anonymous mappings. */
struct copied copied__memory(const struct subject *subject);

/*
 * A calibrated cost of copying, COST_FORK_PAGE or COST_VMA, as it is in this parent. If the parent has
 * more than stays in the caches next to the CPU from fork to fork, it is the cost with cold caches,
 * and that of a page goes on to COST_FORK_UNCACHED the more memory fork walks through; the interval
 * reaches up to what the median of the recorded fork calls implies: rather too much, as that
 * includes tracing.
 */
struct estimate subject__in_parent(const struct subject *subject, enum cost cost);

#endif

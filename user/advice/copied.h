/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What fork copies of a parent: entries of page tables, and what describes mappings.
 */
#ifndef FORKTAX_ADVICE_COPIED_H
#define FORKTAX_ADVICE_COPIED_H

#include "advice/subject.h"

enum { HUGE_PAGES = 512 /* small ones in one */ };

struct copied {
	double small, huge; /* pages: an entry each, and a table each */
	double vmas; /* mappings whose page tables are copied */
};

/* Of one mapping; nothing if fork does not copy its tables. */
struct copied copied__of(const struct layout_vma *vma);

/* Of the parent, at its first fork; all 0 without a layout. */
struct copied copied__all(const struct subject *subject);

/* Of that, memory that the program has made itself: heap and anonymous mappings. Pages alone. */
struct copied copied__memory(const struct subject *subject);

/*
 * A calibrated cost of copying, as it is in this parent. If that has more than stays in the caches
 * from fork to fork, it is the cost with cold caches, and the interval reaches to where the median of the
 * recorded fork calls would have it: with tracing in it that is too much, if anything.
 */
struct estimate subject__in_parent(const struct subject *subject, const struct estimate *cost);

#endif

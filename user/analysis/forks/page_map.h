/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What becomes of the pages of a parent in its recorded children.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_PAGE_MAP_H
#define FORKTAX_ANALYSIS_FORKS_PAGE_MAP_H

#include "model/run/run.h"

/* If a page met several states, the last one here counts. */
enum page_state {
	PAGE_UNKNOWN, /* not read, and no fault there */
	PAGE_UNTOUCHED,
	PAGE_SHARED, /* inherited from the parent, present without a fault */
	PAGE_MAPPED, /* by a fault, nothing copied */
	PAGE_OWN, /* filled, or taken over without a copy */
	PAGE_BY_KERNEL, /* copied ... */
	PAGE_BY_PROGRAM,
	PAGE_BY_LDSO,
	PAGE_STATE_COUNT
};
/* What a child finds of a page before any fault: `page` as in layout_vma.pages. */
enum page_state page_state__at_birth(const struct layout_vma *vma, char page);
/* What a fault makes of its page. */
enum page_state page_state__by(const struct anatomy_row *row);
/* The letter of each state. */
extern const char page_state_letters[PAGE_STATE_COUNT];

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What becomes of the pages of a parent's objects in its recorded children, from the layout of the
 * parent at its first fork and the faults of phase child. A fault that mapped neighbouring pages
 * shows only the page that faulted.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_PAGE_MAP_H
#define FORKTAX_ANALYSIS_FORKS_PAGE_MAP_H

#include "model/run/run.h"

/* If a picture shows several pages as one, or a page met several states, the last one here counts. */
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

/* The pages of one mapping. */
struct page_strip {
	const struct layout_vma *vma;
	uint64_t page_bytes; /* of the run */
	enum page_state *states;
	const struct anatomy_row **faults; /* of each page the one that decided; NULL: it had none */
	size_t count; /* 0: too many to show */
};

struct page_map {
	struct page_strip *strips; /* of objects only: by object, then by offset in the file */
	size_t count;
};

struct page_map page_map__of(const struct run *run, const struct layout *layout);
void page_map__free(struct page_map *map);
/* The number of strips from `first` on that are of the same object. */
size_t page_map__same_object(const struct page_map *map, size_t first);
/* Pages of `count` strips, by state. */
void page_strips__count(const struct page_strip *strips, size_t count,
			uint64_t counts[PAGE_STATE_COUNT]);

#endif

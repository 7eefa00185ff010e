/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two page maps (analysis/forks/page_map.h) of different runs, page beside page: which page of the one
 * is which of the other, also where the object was built again between them.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_PAGE_PAIRS_H
#define FORKTAX_ANALYSIS_COMPARE_PAGE_PAIRS_H

#include "analysis/forks/page_map.h"

enum { PAIR_SIDES = 2 };
#define NO_PAGE SIZE_MAX

enum pair_change {
	PAIR_ALIKE,
	PAIR_CHANGED, /* another state */
	PAIR_ONLY_FIRST, /* the other side has no such page */
	PAIR_ONLY_SECOND,
	PAIR_UNKNOWN, /* what became of it on one side at least is not known */
	PAIR_CHANGE_COUNT
};

struct page_pair {
	size_t at[PAIR_SIDES]; /* in the strips; NO_PAGE: none there */
	enum pair_change change;
};

/* Mappings of one object with the same rights, in their order. */
struct strip_pair {
	const struct page_strip *strips[PAIR_SIDES]; /* borrowed; NULL: no such mapping there */
	struct page_pair *pages;
	size_t count;
};

struct object_pair {
	uint32_t objects[PAIR_SIDES]; /* NO_OBJECT: it is not there */
	struct strip_pair *strips;
	size_t count;
};

struct page_pairs {
	struct object_pair *objects; /* in the order of the first side, then what only the second has */
	size_t count;
};

/*
 * Each side a run with a map of one of its layouts; both are to outlive the result. Objects are paired by
 * name (analysis/same.h), pages by what lies in them as far as faults tell, and between these by their order.
 */
struct page_pairs page_pairs__of(const struct run *const runs[PAIR_SIDES],
				 const struct page_map maps[PAIR_SIDES]);
void page_pairs__free(struct page_pairs *pairs);
/* Pages of the object, by change. */
void object_pair__count(const struct object_pair *pair, uint64_t counts[PAIR_CHANGE_COUNT]);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From how many children on a dearer start comes back. Pure arithmetic of two measured
 * differences: a statement is only made as far as both intervals bear it.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BREAK_EVEN_H
#define FORKTAX_ANALYSIS_BINDNOW_BREAK_EVEN_H

#include "analysis/stats.h"

/* Does the start's extra cost come back? */
enum bindnow_pays {
	PAYS_UNKNOWN,	    /* an interval spans 0, or something was not measured */
	PAYS_NO_DIFFERENCE, /* neither costs nor saves anything: counts only */
	PAYS_ALWAYS,	    /* children are cheaper, and the start is no dearer */
	PAYS_AFTER,	    /* from that number of children on */
	PAYS_AT_LATEST,	    /* so, but no difference of the start was shown: `high` children */
	PAYS_NEVER,	    /* the start is dearer, and children are not cheaper */
	PAYS_COUNT
};

extern const char *const bindnow_pays_keys[PAYS_COUNT];

struct break_even {
	enum bindnow_pays pays;
	struct estimate start;	/* extra cost of the start */
	struct estimate saving; /* per child */
	/*
	 * With PAYS_AFTER and PAYS_AT_LATEST: the number of children from which on binding at start is
	 * cheaper, by the values, and by the favourable (low) and unfavourable (high) ends of both
	 * intervals. 0: none, or more than a machine will ever fork.
	 */
	uint64_t children, low, high;
};

/* Not bounded, or not known: PAYS_UNKNOWN. */
struct break_even break_even__of(struct estimate start, struct estimate saving);

#endif

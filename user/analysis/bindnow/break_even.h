/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * After how many children a dearer start pays for itself: pure arithmetic on two measured
 * differences. Its interval follows from both of theirs; that both are at their ends at once is too unlikely to count.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BREAK_EVEN_H
#define FORKTAX_ANALYSIS_BINDNOW_BREAK_EVEN_H

#include "analysis/stats.h"

/* Does the extra cost of the start pay for itself? */
enum bindnow_pays {
	PAYS_UNKNOWN,	    /* an interval spans 0, or something was not measured */
	PAYS_NO_DIFFERENCE, /* neither costs nor saves anything: counts only */
	PAYS_ALWAYS,	    /* children are cheaper, and the start is no dearer */
	PAYS_AFTER,	    /* from that number of children on */
	PAYS_AT_LATEST,	    /* after `high` children at most: no difference of the start was shown */
	PAYS_NEVER,	    /* the start is dearer, and children are not cheaper */
	PAYS_COUNT
};

extern const char *const bindnow_pays_keys[PAYS_COUNT];

struct break_even {
	enum bindnow_pays pays;
	struct estimate start;	/* extra cost of the start */
	struct estimate saving; /* per child */
	bool untraced; /* the saving follows from the untraced time of the whole */
	/*
	 * With PAYS_AFTER and PAYS_AT_LATEST: the first number of children for which binding at start
	 * is cheaper, by the values, and the ends of its interval. 0: none, or more than a machine will ever fork.
	 */
	uint64_t children, low, high;
};

/* PAYS_UNKNOWN unless both are known and bounded. */
struct break_even break_even__of(struct estimate start, struct estimate saving);
/*
 * The same where so many children and the start made the difference `whole` (more: > 0). If that is shown to
 * be less, so many children are enough.
 */
struct break_even break_even__of_whole(struct estimate start, struct estimate whole, double children);

#endif

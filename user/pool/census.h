/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts the pages of all members of a pool by the classes of model/workers.h.
 */
#ifndef FORKTAX_POOL_CENSUS_H
#define FORKTAX_POOL_CENSUS_H

#include "pool/pool_baseline.h"

struct census {
	/* In: opened, with maps and runs; the master first. Out: their rows and `counted`. */
	struct pool_member *members;
	size_t member_count;
	struct frames *frames;
	bool can_scan; /* the kernel has PAGEMAP_SCAN */
	const struct pool_baseline *baseline; /* what was shared before; NULL: not known */
	struct pool_baseline *record; /* begun; NULL: nothing is recorded */
	/* Out. */
	uint64_t extra, mergeable; /* pages */
	bool moved_full; /* more pages than could be looked for at other addresses */
};

void census__take(struct census *census);

#endif

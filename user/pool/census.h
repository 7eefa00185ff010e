/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts the pages of all members of a pool by the classes of model/workers.h.
 */
#ifndef FORKTAX_POOL_CENSUS_H
#define FORKTAX_POOL_CENSUS_H

#include "pool/pool_baseline.h"

/* What a sample estimates with an interval, bytes; all but the last two of all workers. */
enum tally {
	TALLY_SHARED,
	TALLY_UNSHARED,
	TALLY_IDENTICAL,
	TALLY_NEW,
	TALLY_EXTRA,
	TALLY_MERGEABLE,
	TALLIES
};

struct census {
	/* In: opened, with maps and runs; the master first. Out: their rows and `counted`. */
	struct pool_member *members;
	size_t member_count;
	bool has_master; /* false: all are workers, and compared with what most of them have */
	struct frames *frames;
	bool can_scan; /* the kernel has PAGEMAP_SCAN */
	const struct pool_baseline *baseline; /* what was shared before; NULL: not known */
	struct pool_baseline *record; /* begun; NULL: nothing is recorded */
	uint64_t every, start; /* one in so many windows is looked at, from that one on */
	/* Out. Counts are of all: those of a sample, times `every`. */
	uint64_t pieces, looked; /* windows */
	double squares[TALLIES]; /* sums of squared differences between windows that follow each other */
	uint64_t extra, mergeable; /* bytes */
	uint64_t perhaps_extra, perhaps_mergeable; /* more, with pages of unknown origin */
	bool moved_full; /* more pages than could be looked for at other addresses */
};

void census__take(struct census *census);

#endif

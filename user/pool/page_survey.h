/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts the pages of all members of a pool by the classes of model/workers/workers.h.
 */
#ifndef FORKTAX_POOL_PAGE_SURVEY_H
#define FORKTAX_POOL_PAGE_SURVEY_H

#include "pool/pool_groups.h"

struct page_survey {
	/* In: opened, with maps and runs; the master first. Out: their rows and `counted`. */
	struct pool_member *members;
	size_t member_count;
	bool has_master; /* false: all are workers, and compared with each other */
	struct frames *frames;
	bool can_scan; /* the kernel has PAGEMAP_SCAN */
	/* Out. */
	uint64_t extra, mergeable; /* bytes */
	uint64_t perhaps_extra, perhaps_mergeable; /* more, with pages of unknown origin */
	uint64_t repeated; /* of new memory, with the contents that another worker has there */
	bool new_is_much; /* more than could be compared in a second or two: `repeated` may be more */
	bool remapped_full; /* more pages than could be searched for at other addresses */
};

void page_survey__take(struct page_survey *survey);

#endif

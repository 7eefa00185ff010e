/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What pool_watch.c reads, and pool_flow.c makes use of. Internal to user/pool.
 */
#ifndef FORKTAX_POOL_POOL_WATCH_STATE_H
#define FORKTAX_POOL_POOL_WATCH_STATE_H

#include "pool/page_set.h"
#include "pool/pool_process.h"

/* One address space of the log. */
struct watched {
	uint64_t look; /* the first one that found it, from 1; 0: none has */
	char name[16];
	struct page_set before, after;
};

struct pool_watch {
	struct frames frames;
	struct watched *list; /* by the number of the process in the log */
	size_t count;
	size_t pages; /* in all sets */
	uint64_t looks;
	uint64_t spent_ns; /* of CPU, on those that were new */
};

static inline bool page_set__is_read(const struct page_set *set)
{
	return set->end_ns;
}

#endif

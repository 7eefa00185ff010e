/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who shares a frame with whom, at one address.
 */
#ifndef FORKTAX_POOL_POOL_GROUPS_H
#define FORKTAX_POOL_POOL_GROUPS_H

#include "pool/pool_window.h"

struct pool_group {
	uint64_t frame;
	uint32_t members; /* how many have it here */
	uint32_t first; /* of them */
	bool merged; /* by same-page merging, if several have it here: no sign of a fork */
	uint64_t mappings; /* of the frame, by all processes; 0: not asked yet */
};

struct pool_groups {
	struct pool_group *list; /* in the order of their first views */
	size_t count;
	uint32_t *of; /* by view: index in the list, or NO_GROUP_HERE */
	struct group_slot *slots; /* hash table */
	size_t slot_count;
	uint64_t page; /* number of pages that were read; older entries of the table count as free */
};

enum { NO_GROUP_HERE = UINT32_MAX };

void pool_groups__new(struct pool_groups *groups, size_t views);
void pool_groups__release(struct pool_groups *groups);
/* Of one page of the window. Pages that are swapped are in no group. */
void pool_groups__find(struct pool_groups *groups, const struct pool_window *window, unsigned int page);
/* The largest group that is; NULL: none. */
const struct pool_group *pool_groups__proven(const struct pool_groups *groups);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Checks a watch: the pages that came and went must add up to the change of the kernel's sums. Internal to
 * user/pool.
 */
#ifndef FORKTAX_POOL_POOL_FLOW_CROSS_CHECK_H
#define FORKTAX_POOL_POOL_FLOW_CROSS_CHECK_H

#include "model/workers/workers_flow.h"
#include "pool/pool_watch_state.h"

/* The input of that check: a flow that was not checked yet, and the readings of its members. */
struct flow_readings {
	const struct pool_watch *watch;
	struct workers_flow *flow;
	const uint32_t *processes; /* of members: their place in watch->list */
	bool attached; /* there was a pool before the watch; else it begins with the first fork */
};

static inline const struct watched *watched_of(const struct flow_readings *readings, size_t member)
{
	return &readings->watch->list[readings->processes[member]];
}

/*
 * Was the copy before the set was read? While it was read, the page map tells.
 */
bool flow_copy__is_before(const struct workers_flow *flow, const struct flow_copy *copy, const struct page_set *set);

void flow_cross_check__make(const struct flow_readings *readings);

#endif

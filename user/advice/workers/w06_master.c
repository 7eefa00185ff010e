// SPDX-License-Identifier: GPL-2.0-or-later
/* W6: what the master writes to while workers live is copied, too. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w06_master(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers_flow *flow = subject->flow;
	const uint64_t pages = flow && !flow->orphans ? flow->members[0].copies : 0;
	const uint64_t copied = pages * subject->state->machine.page_bytes;

	if (copied < subject->worth)
		return false;
	advice->evidence = text__of(
		"While the pool was watched, the master itself copied %s of what it shared with its workers.",
		quantity__size(copied).text);
	advice->action = text__of("Let the master only fork and wait: no timers that allocate, no "
				  "reloading, no statistics; or let a worker do that.");
	advice->predicted_bytes = saving__up_to(copied);
	return true;
}

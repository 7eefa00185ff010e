// SPDX-License-Identifier: GPL-2.0-or-later
/* W6: what the master writes to while workers live is copied, too. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w06_master(const struct pool_subject *subject, struct advice *advice)
{
	const uint64_t copied = subject->sample->loaded.copied_by_master_bytes;

	if (copied == ABSENT || copied < subject->worth)
		return false;
	advice->evidence = text__of(
		"While the load ran, the master itself copied %s of what it shared with its "
		"workers before: it has other page frames there now.", quantity__size(copied).text);
	advice->action = text__of("Let the master only fork and wait: no timers that allocate, no "
				  "reloading, no statistics; or let a worker do that.");
	advice->predicted_bytes = saving__up_to(copied);
	return true;
}

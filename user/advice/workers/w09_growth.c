// SPDX-License-Identifier: GPL-2.0-or-later
/* W9: memory that was filled, not copied, during the load. */
#include "advice/workers/rules_workers.h"

bool rule__w09_growth(const struct pool_subject *subject, struct pool_advice *advice)
{
	const struct pool_memory *ready = &subject->sample->ready, *loaded = &subject->sample->loaded;
	const double grown = (double)loaded->new_bytes - (double)ready->new_bytes;
	const double copied = (double)loaded->unshared_bytes - (double)ready->unshared_bytes;

	if (grown < subject->worth)
		return false;
	advice->evidence = text__of(
		"During the load the workers' new memory grew by %.1f MiB, and their copies by "
		"%.1f MiB: %.0f %% of that growth is not lost sharing.",
		mib__of(grown), mib__of(copied),
		copied > 0 ? 100 * grown / (grown + copied) : 100);
	advice->action = text__of("Search for caches, request buffers and leaks with a memory "
				  "profiler; replacing workers after some requests limits the growth.");
	return true;
}

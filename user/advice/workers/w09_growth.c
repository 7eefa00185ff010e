// SPDX-License-Identifier: GPL-2.0-or-later
/* W9: memory that was filled, not copied, during the load. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w09_growth(const struct pool_subject *subject, struct advice *advice)
{
	const struct pool_memory *ready = &subject->sample->ready, *loaded = &subject->sample->loaded;
	const double grown = (double)loaded->new_bytes - (double)ready->new_bytes;
	const double copied = (double)loaded->unshared_bytes - (double)ready->unshared_bytes;

	if (grown < subject->worth)
		return false;
	advice->evidence = text__of(
		"During the load the workers' new memory grew by %s, and their copies by "
		"%s: %s of that growth is not lost sharing.",
		quantity__size(grown).text, quantity__size(copied).text,
		quantity__percent(copied > 0 ? grown / (grown + copied) : 1).text);
	advice->action = text__of("Search for caches, request buffers and leaks with a memory "
				  "profiler; replacing workers after some requests limits the growth.");
	return true;
}

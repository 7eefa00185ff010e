// SPDX-License-Identifier: GPL-2.0-or-later
/* W3: what uses an object of Python writes to its reference count. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w03_counts(const struct pool_subject *subject, struct advice *advice)
{
	const uint64_t bytes = subject->writers.counts;

	if (bytes < subject->worth)
		return false;
	advice->evidence = text__of(
		"%s of the workers' copies hold objects of Python, are like the master's page, and are not the "
		"garbage collector's: what uses an object writes its reference count.", quantity__size(bytes).text);
	advice->action = text__of(
		"Keep large data in few objects: bytes with an array of offsets, array, numpy or a mapped file, not "
		"lists of many small objects, whose reference counts are written when they are read. gc.freeze() does "
		"not help against that.");
	advice->predicted_bytes = saving__up_to(bytes);
	return true;
}

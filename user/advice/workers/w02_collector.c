// SPDX-License-Identifier: GPL-2.0-or-later
/* W2: a cycle of Python's collector writes to the header of each object, and back. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w02_collector(const struct pool_subject *subject, struct advice *advice)
{
	const uint64_t bytes = subject->writers.collector;

	if (bytes < subject->worth)
		return false;
	advice->evidence = text__of(
		"Workers run Python, and its garbage collector has written to %s of their copies: these hold objects "
		"that it writes to, and workers share hardly any page with such objects still. Copies of objects that "
		"were used, too, are not counted, as their reference counts were written.", quantity__size(bytes).text);
	advice->action = text__of("Call gc.freeze() in the master before it forks: the collector then "
				  "ignores the objects that exist already.");
	advice->predicted_bytes = saving__up_to(bytes);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* W3: Python copies, and it is not the collector. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w03_counts(const struct pool_subject *subject, struct advice *advice)
{
	const double page_bytes = subject->state->machine.page_bytes;
	const double rest = (subject->copied - subject->collected - subject->unnamed) * page_bytes;

	if (!subject->python || !subject__clears_collector(subject))
		return false;
	advice->evidence = text__of(
		"While it was watched, Python copied %s in workers: %s by its collector, and %s by code without a "
		"name. What remains are reference counts, which CPython writes whenever it uses an object, and "
		"writes of the program itself; which of them is unknown.",
		quantity__size(subject->copied * page_bytes).text, quantity__size(subject->collected * page_bytes).text,
		quantity__size(subject->unnamed * page_bytes).text);
	advice->action = text__of(
		"Keep large data in few objects: bytes, array, numpy or a mapped file, not "
		"lists of dictionaries. Or let the kernel merge the copies.");
	advice->predicted_bytes = saving__up_to(rest);
	return true;
}

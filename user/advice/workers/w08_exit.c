// SPDX-License-Identifier: GPL-2.0-or-later
/* W8: what is freed at the end is written to, and so copied, just before it is dropped. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w08_exit(const struct pool_subject *subject, struct advice *advice)
{
	const uint64_t faults = subject->sample->end_faults, page_bytes = subject->state->machine.page_bytes;

	if (faults == ABSENT || faults * page_bytes < subject->worth)
		return false;
	advice->evidence = text__of(
		"While the pool ended after SIGTERM, its processes took %llu minor faults: %s,"
		" if each copied a page. Which did is unknown (forktax "
		"run --anatomy shows it).",
		(unsigned long long)faults, quantity__size(faults * page_bytes).text);
	advice->action = text__of("Let workers end by os._exit(), exit!, quick_exit() or _exit(), which "
				  "free nothing; or let them call gc.freeze() in Python before they end.");
	return true;
}

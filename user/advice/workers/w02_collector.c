// SPDX-License-Identifier: GPL-2.0-or-later
/* W2: a cycle of Python's collector writes to the header of each object, and back. */
#include "advice/workers/rules_workers.h"

bool rule__w02_collector(const struct pool_subject *subject, struct pool_advice *advice)
{
	const struct worker_pages *sum = subject->sum;
	const uint64_t same = (sum->identical + sum->few_words) * PAGE_BYTES;

	if (!subject->python || same < subject->worth)
		return false;
	advice->evidence = text__of(
		"Workers run Python. %.1f MiB of their copies are as the master's page, or differ "
		"in a few words: the collector leaves that, and so do reference counts. Which of "
		"both it was cannot be told from the pages.", mib__of(same));
	advice->action = text__of("Call gc.freeze() in the master before it forks: the collector then "
				  "leaves alone what is there already.");
	advice->predicted_bytes = saving__up_to(subject->state->extra_bytes);
	return true;
}

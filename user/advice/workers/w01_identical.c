// SPDX-License-Identifier: GPL-2.0-or-later
/* W1: pages that were copied and hold the same as others at their address. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w01_identical(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const char *least = state->at_least ? "at least " : "";
	const uint64_t mergeable = with_perhaps(state->mergeable_bytes, state->perhaps_mergeable_bytes);

	if (mergeable < subject->worth)
		return false;
	advice->evidence = text__of(
		"Copies cost %s%s beyond one page per address, and %s%s of that hold "
		"the same as another page there. ", least, quantity__size(state->extra_bytes).text,
		least,
		quantity__size(state->mergeable_bytes).text);
	if (mergeable - state->mergeable_bytes >= subject->worth)
		text__replace(&advice->evidence,
			      "%sSo do %s%s more, of which it is not known whether they are copies. ",
			      advice->evidence, least,
			      quantity__size(mergeable - state->mergeable_bytes).text);
	text__replace(&advice->evidence, "%sMerging finds equal pages at other addresses, too.",
		      advice->evidence);
	advice->action = text__of(
		"Let the kernel merge them: prctl(PR_SET_MEMORY_MERGE, 1) before the program is "
		"executed (Linux 6.4; systemd: MemoryKSM=yes), 1 to /sys/kernel/mm/ksm/run, and "
		"more than the 100 pages of pages_to_scan. It goes on giving back what is copied, "
		"for CPU time of ksmd.");
	advice->predicted_bytes = estimate__of(mergeable);
	return true;
}

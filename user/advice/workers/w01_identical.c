// SPDX-License-Identifier: GPL-2.0-or-later
/* W1: pages that were copied and hold the same as others at their address. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w01_identical(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const char *least = state->at_least ? "at least " : "";
	const uint64_t copied = state->mergeable_bytes + state->perhaps_mergeable_bytes,
		       mergeable = copied + state->repeated_bytes;

	if (mergeable < subject->worth)
		return false;
	advice->evidence = text__of(
		"Copies cost %s%s beyond one page per address, and %s%s of that are "
		"identical to another page at that address. ", least, quantity__size(state->extra_bytes).text, least,
		quantity__size(state->mergeable_bytes).text);
	if (copied - state->mergeable_bytes >= subject->worth)
		text__replace(&advice->evidence, "%sSo are %s%s more; whether these are copies is unknown. ",
			      advice->evidence, least, quantity__size(copied - state->mergeable_bytes).text);
	if (mergeable - copied >= subject->worth)
		text__replace(&advice->evidence, "%sNew memory of workers holds %s that others have, too. ",
			      advice->evidence, quantity__size(mergeable - copied).text);
	text__replace(&advice->evidence, "%sMerging finds equal pages at other addresses, too.", advice->evidence);
	advice->action =
		text__of("Let the kernel merge equal pages: call prctl(PR_SET_MEMORY_MERGE, 1) before the execve "
			 "(Linux 6.4; systemd: MemoryKSM=yes), write 1 to /sys/kernel/mm/ksm/run, and "
			 "more than 100 to /sys/kernel/mm/ksm/pages_to_scan. ksmd then goes on merging copies, "
			 "and takes CPU time for it.");
	advice->predicted_bytes = estimate__of(mergeable);
	return true;
}

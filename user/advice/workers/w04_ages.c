// SPDX-License-Identifier: GPL-2.0-or-later
/* W4: each collection makes Ruby's objects older, until they are old. */
#include "advice/workers/rules_workers.h"

bool rule__w04_ages(const struct pool_subject *subject, struct pool_advice *advice)
{
	const struct worker_pages *sum = subject->sum;
	const uint64_t changed = (sum->few_words + sum->different) * PAGE_BYTES;
	const uint64_t extra = subject->state->extra_bytes;

	if (!subject->ruby || changed < subject->worth)
		return false;
	advice->evidence = text__of(
		"Workers run Ruby. %.1f MiB of their copies differ from the master's page; of the "
		"words that changed %.0f %% differ in nothing but the age of an object.",
		mib__of(changed),
		sum->changed_words ? 100.0 * sum->age_words / sum->changed_words : 0);
	advice->action = text__of("Before the first fork let objects become old and move together: "
				  "4.times { GC.start }; GC.compact (Ruby 3.3: Process.warmup).");
	advice->predicted_bytes = saving__up_to(changed < extra ? changed : extra);
	return true;
}

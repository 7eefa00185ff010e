// SPDX-License-Identifier: GPL-2.0-or-later
/* W4: each collection makes Ruby's objects older, until they are old. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w04_ages(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const struct worker_pages *sum = subject->sum;
	const struct page_classes *sure = &sum->unshared, *perhaps = &sum->perhaps;
	const uint64_t changed = (with_perhaps(sure->few_words, perhaps->few_words) +
				  with_perhaps(sure->different, perhaps->different)) * state->machine.page_bytes;
	const uint64_t extra = with_perhaps(state->extra_bytes, state->perhaps_extra_bytes);
	const uint64_t fresh = (sum->new + sum->file_private) * state->machine.page_bytes;

	if (!subject->ruby || changed < subject->worth)
		return false;
	advice->evidence = text__of(
		"Workers run Ruby. %s of their copies differ from the master's page; of the "
		"words that changed %.0f %% differ only in the age of an object.",
		quantity__size(changed).text,
		sum->changed_words ? 100.0 * sum->age_words / sum->changed_words : 0);
	if (fresh >= subject->worth)
		text__replace(&advice->evidence,
			      "%s They also have %s of new memory. They may need less of it, because a "
			      "heap that was compacted before the fork has free room.",
			      advice->evidence, quantity__size(fresh).text);
	advice->action = text__of("Before the first fork, let objects become old and compact the heap: "
				  "4.times { GC.start }; GC.compact (Ruby 3.3: Process.warmup).");
	advice->predicted_bytes = saving__up_to((changed < extra ? changed : extra) + fresh);
	return true;
}

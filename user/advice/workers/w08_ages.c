// SPDX-License-Identifier: GPL-2.0-or-later
/* W8: Ruby's collector writes the age of each object into it, until the object is old. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

enum { AGE_PARTS = 10 }; /* so many words at most are changed beside one by age */

bool rule__w08_ages(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const struct worker_pages *sum = subject->sum;
	const uint64_t changed = with_perhaps(sum->unshared.few_words, sum->perhaps.few_words) +
				 with_perhaps(sum->unshared.different, sum->perhaps.different);
	const uint64_t bytes = changed * state->machine.page_bytes;

	if (!subject->ruby || bytes < subject->worth || !sum->changed_words ||
	    AGE_PARTS * sum->age_words < sum->changed_words)
		return false;
	advice->evidence = text__of(
		"Workers run Ruby. In %s of their copies %s of the words that changed differ in the bits that hold the "
		"age of an object: the garbage collector ran in the workers.", quantity__size(bytes).text,
		quantity__percent((double)sum->age_words / sum->changed_words).text);
	advice->action = text__of("Let the master run GC.start when all is loaded, before it forks (Ruby 3.3: "
				  "Process.warmup): what is old then is not aged in each worker.");
	advice->predicted_bytes = saving__up_to(with_perhaps(
		with_perhaps(state->extra_bytes, state->perhaps_extra_bytes), state->repeated_bytes));
	return true;
}

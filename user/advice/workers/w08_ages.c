// SPDX-License-Identifier: GPL-2.0-or-later
/* W8: Ruby's collector writes the age of each object into it, until the object is old. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w08_ages(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers *state = subject->state;
	const struct worker_pages *sum = subject->sum;
	const uint64_t bytes = subject__changed_pages(subject) * state->machine.page_bytes;

	/* Where new memory is much more, the application was loaded after the fork. */
	if (bytes < subject->worth || 2 * bytes < sum->new * state->machine.page_bytes || !subject__shows_ages(subject))
		return false;
	advice->evidence = text__of(
		"Workers run Ruby. In %s of their copies %s of the words that changed differ in the bits that hold the "
		"age of an object: the garbage collector ran in the workers.", quantity__size(bytes).text,
		quantity__percent((double)sum->age_words / sum->changed_words).text);
	advice->action = text__of(
		"Let the master run GC.start and GC.compact once, when all is loaded, before it forks (Ruby 3.3: "
		"Process.warmup): what is old then is not aged in each worker, and what is new does not fill gaps "
		"between it.");
	advice->predicted_bytes = saving__up_to(state->extra_bytes + state->perhaps_extra_bytes);
	return true;
}

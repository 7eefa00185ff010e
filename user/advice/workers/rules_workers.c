// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/rules_workers.h"

uint64_t with_perhaps(uint64_t sure, uint64_t perhaps)
{
	return perhaps == ABSENT ? sure : sure + perhaps;
}

struct estimate saving__up_to(double bytes)
{
	return (struct estimate){ .known = true, .bounded = true, .high = bytes };
}

uint64_t subject__object_bytes(const struct pool_subject *subject)
{
	const struct worker_pages *sum = subject->sum;

	return sum->plain_objects == ABSENT ? ABSENT : (sum->plain_objects + sum->collected_objects) *
							       subject->state->machine.page_bytes;
}

bool subject__shows_reading(const struct pool_subject *subject)
{
	const struct worker_pages *sum = subject->sum;

	return workers__shows_reading(sum) && sum->plain_objects * subject->state->machine.page_bytes >= subject->worth;
}

bool subject__clears_collector(const struct pool_subject *subject)
{
	return subject->copied * subject->state->machine.page_bytes >= subject->worth &&
	       2 * (subject->collected + subject->unnamed) < subject->copied;
}

uint64_t subject__changed_pages(const struct pool_subject *subject)
{
	const struct page_classes *sure = &subject->sum->unshared, *perhaps = &subject->sum->perhaps;

	return with_perhaps(sure->few_words, perhaps->few_words) + with_perhaps(sure->different, perhaps->different);
}

bool subject__shows_ages(const struct pool_subject *subject)
{
	enum { AGE_PARTS = 10 }; /* so many words at most are changed beside one by age ... */
	const struct worker_pages *sum = subject->sum;

	/* ... or each page has one: buffers that were filled anew have many changed words, and none of these. */
	return subject->ruby && sum->age_words &&
	       (AGE_PARTS * sum->age_words >= sum->changed_words || sum->age_words >= subject__changed_pages(subject));
}

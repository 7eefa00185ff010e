// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/rules_workers.h"

struct estimate saving__up_to(double bytes)
{
	return (struct estimate){ .known = true, .bounded = true, .high = bytes };
}

uint64_t subject__changed_pages(const struct pool_subject *subject)
{
	const struct page_classes *sure = &subject->sum->unshared, *perhaps = &subject->sum->perhaps;

	return sure->few_words + perhaps->few_words + sure->different + perhaps->different;
}

bool subject__shows_ages(const struct pool_subject *subject)
{
	enum { AGE_PARTS = 10 }; /* so many words at most are changed beside one by age ... */
	const struct worker_pages *sum = subject->sum;

	/* ... or each page has one: buffers that were filled anew have many changed words, and none of these. */
	return subject->ruby && sum->age_words &&
	       (AGE_PARTS * sum->age_words >= sum->changed_words || sum->age_words >= subject__changed_pages(subject));
}

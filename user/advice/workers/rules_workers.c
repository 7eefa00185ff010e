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

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

bool subject__clears_collector(const struct pool_subject *subject)
{
	return subject->copied * subject->state->machine.page_bytes >= subject->worth &&
	       2 * (subject->collected + subject->unnamed) < subject->copied;
}

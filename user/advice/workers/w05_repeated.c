// SPDX-License-Identifier: GPL-2.0-or-later
/* W5: pages that every worker copies soon after its fork. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/workers/rules_workers.h"
#include "base/autofree.h"
#include "base/quantity.h"

static uint64_t born_while_watched(const struct workers_flow *flow)
{
	uint64_t born = 0;

	for (size_t i = 0; i < flow->member_count; i++)
		born += workers_flow__is_worker(flow, i) && flow->members[i].born_ns != ABSENT;
	return born;
}

bool rule__w05_repeated(const struct pool_subject *subject, struct advice *advice)
{
	const struct workers_flow *flow = subject->flow;
	const uint64_t born = flow ? born_while_watched(flow) : 0;
	size_t count = 0;
	autofree size_t *common = flow ? workers_flow__common(flow, &count) : NULL;
	const uint64_t each = count * subject->state->machine.page_bytes;

	if (!common || each * born < subject->worth)
		return false;
	advice->evidence = text__of(
		"Each of %" PRIu64 " workers that were born while the pool was watched copied the same %s in its "
		"first second. Whether they write the same there was not compared.", born, quantity__size(each).text);
	advice->action = text__of(
		"Do in the master, before it forks, what every worker does first: load code and "
		"data, fill caches, compile templates (gunicorn: --preload).");
	advice->predicted_bytes = saving__up_to((double)each * born);
	return true;
}

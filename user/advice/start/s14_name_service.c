// SPDX-License-Identifier: GPL-2.0-or-later
/* S14: users, groups and hosts are asked for by way of the name service. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/start/start_cost.h"
#include "analysis/start/start_avoided.h"
#include "base/quantity.h"
#include "base/text.h"

/* To open and read one file takes four calls. */
enum { CALLS_LEAST = 5, NAMED_MOST = 4 };
/*
 * Of the start, as traced. The calls are its smallest part: measured were 5 to 7 times as much, for
 * code and data that nothing else needs, and for modules and what they ask.
 */
static const double SHARE_LEAST = 0.005;

/* The files that were opened. */
static char *names_of(const struct start *start)
{
	struct name_list names = { .most = NAMED_MOST };

	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (start_call__is_for_names(call) && call->path && *call->path && !start_call__errno(call) &&
		    !strncmp(call->name, "open", strlen("open")))
			name_list__add(&names, call->path);
	}
	return name_list__finish(&names);
}

bool rule__s14_name_service(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, start_call__is_for_names);
	char *names;

	if (cost.calls < CALLS_LEAST || (double)cost.ns < SHARE_LEAST * (double)subject->start->marks.end)
		return false;
	names = names_of(subject->start);
	advice->evidence = text__of("Calls for the name service (users, groups, hosts): %" PRIu64
				    " (%" PRIu64 " failed), %s as traced, without page "
				    "faults and what its modules compute.%s%s%s", cost.calls,
				    cost.failed, quantity__time(cost.ns).text,
				    names ? " Opened: " : "", names ? names : "", names ? "." : "");
	advice->action = text__of(
		"Use numbers if nobody reads names (getuid needs no getpwuid; ls -n, ps with "
		"uid), and query only when the result is needed. Each service in /etc/nsswitch.conf before "
		"the one that has the answer costs a library, or a request to a daemon.");
	free(names);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* S1: ld.so tries directory after directory until it finds a library. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_cost.h"
#include "base/text.h"

enum { NAMED_MOST = 4 };

/* Each directory is tried for libraries, and asked for, only once if it is not there. */
static bool is_in_vain(const struct start_call *call)
{
	return (call->reason == REASON_SEARCH || call->reason == REASON_SEARCH_DIRECTORY) &&
	       start_call__errno(call);
}

/* "libfar.so (75 of 76)", those that failed at all. */
static char *names_of(const struct start *start)
{
	struct name_list names = { .most = NAMED_MOST };

	for (size_t i = 0; i < start->search_count; i++) {
		const struct start_search *search = &start->searches[i];
		char *name;

		if (!search->failed)
			continue;
		name = text__of("%s (%" PRIu64 " of %" PRIu64 " tries%s)", search->name,
				search->failed, search->tries,
				search->found ? "" : ", not found");
		name_list__add(&names, name);
		free(name);
	}
	return name_list__finish(&names);
}

bool rule__s01_searches(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, is_in_vain);
	char *names = names_of(subject->start), *time;

	if (!cost.calls || !names) {
		free(names);
		return false;
	}
	time = start_cost__time(&cost);
	advice->evidence = text__of("Calls of ld.so that look for a library, or for a directory "
				    "with libraries, and fail: %" PRIu64 ", %s as traced. Failed: "
				    "%s.",
				    cost.calls, time, names);
	advice->action = text__of(
		"Shorten RUNPATH to the directories that libraries are in, the one with most of "
		"them first; or link with absolute paths (NEEDED with a slash is not searched "
		"for); or put the directories into /etc/ld.so.conf and no RUNPATH into the "
		"program: ld.so.cache finds each library at once. Directories in LD_LIBRARY_PATH "
		"are tried, too.");
	start_cost__predict(&cost, subject, advice);
	free(time);
	free(names);
	return true;
}

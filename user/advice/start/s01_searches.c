// SPDX-License-Identifier: GPL-2.0-or-later
/* S1: ld.so tries directory after directory until it finds a library. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/search_list.h"
#include "advice/start/start_cost.h"
#include "analysis/start/start_avoided.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { NAMED_MOST = 4 };

/* "libfar.so (75 of 76)", those that failed at all. */
static char *names_of(const struct start *start)
{
	struct name_list names = { .most = NAMED_MOST };

	for (size_t i = 0; i < start->search_count; i++) {
		const struct start_search *search = &start->searches[i];
		char *name;

		if (!search->failed)
			continue;
		name = text__of("%s (%" PRIu64 " of %" PRIu64 " tries%s)", search->name, search->failed, search->tries,
				search->found ? "" : ", not found");
		name_list__add(&names, name);
		free(name);
	}
	return name_list__finish(&names);
}

/* musl has no cache. */
static const struct {
	const char *any, *glibc, *musl;
} actions[SEARCH_LIST_COUNT] = {
	[SEARCH_OF_FILES] = {
		"Shorten RUNPATH to the directories that libraries are in, the one with most of "
		"them first; or link with absolute paths (NEEDED with a slash is not searched for)",
		"; or put the directories into /etc/ld.so.conf and no RUNPATH into the "
		"program: ld.so.cache finds each library at once.",
		".",
	},
	[SEARCH_OF_VARIABLE] = {
		"Take those directories out of LD_LIBRARY_PATH that hold no library of this program: they "
		"are tried for each library", " before ld.so.cache is asked.", ".",
	},
	[SEARCH_OF_SYSTEM] = {
		"The system's own directories are tried one after the other",
		" for a library that ld.so.cache does not list: run ldconfig after a library was put there.",
		": put the one with most libraries first (/etc/ld-musl-*.path).",
	},
};

/* Which lists made ld.so try what fails, or may have: a bit for each. */
static unsigned int lists_of(const struct start_subject *subject)
{
	unsigned int lists = 0;

	if (!search_list__is_known(subject))
		return 1u << SEARCH_OF_FILES | 1u << SEARCH_OF_VARIABLE;
	for (size_t i = 0; i < subject->start->call_count; i++)
		if (start_call__is_failed_search(&subject->start->calls[i]) && subject->start->calls[i].path)
			lists |= 1u << search_list__of(subject, &subject->start->calls[i]);
	return lists;
}

static char *action_of(const struct start_subject *subject, unsigned int lists)
{
	const bool glibc = start_subject__has_glibc(subject);
	char *text = text__of("%s", "");

	for (int list = 0; list < SEARCH_LIST_COUNT; list++)
		if (lists >> list & 1)
			text__replace(&text, "%s%s%s%s", text, *text ? " " : "", actions[list].any,
				      glibc ? actions[list].glibc : actions[list].musl);
	return text;
}

/* What can be tried: what LD_LIBRARY_PATH is for cannot be known, nor may the system be changed. */
static char *why_untried(unsigned int lists)
{
	if (lists >> SEARCH_OF_FILES & 1)
		return NULL;
	return text__of("no: %s", lists >> SEARCH_OF_VARIABLE & 1 ?
			"which of these directories other programs need is unknown" :
			"the system would have to be changed");
}

bool rule__s01_searches(const struct start_subject *subject, struct advice *advice)
{
	const struct start_cost cost = start_cost__of(subject->start, start_call__is_failed_search);
	const unsigned int lists = lists_of(subject);
	autofree char *names = names_of(subject->start);

	if (!cost.calls || !names)
		return false;
	advice->evidence = text__of("Calls of ld.so that search for a library, or for a directory "
				    "with libraries, and fail: %" PRIu64 ", %s as traced. Failed: "
				    "%s.",
				    cost.calls, quantity__time(cost.ns).text, names);
	advice->action = action_of(subject, lists);
	advice->tried = why_untried(lists);
	start_cost__predict(&cost, subject, advice);
	return true;
}

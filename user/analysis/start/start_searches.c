// SPDX-License-Identifier: GPL-2.0-or-later
/* Which files ld.so searched for, and in how many places: calls with the same last part of the path. */
#include <string.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"
#include "base/text.h"

static bool is_cache(const char *path)
{
	return !strncmp(path, "/etc/ld.so.", strlen("/etc/ld.so.")) ||
	       !strncmp(path, "/etc/ld-musl-", strlen("/etc/ld-musl-"));
}

/*
 * Does the call try whether a library is there? Directories are looked at for others' sake; musl's
 * ld.so is its libc, which opens anything.
 */
static bool tries(const struct start_call *call)
{
	return start_call__by_ldso(call) && start_call__opens(call) && call->path &&
	       text__names_library(call->path) && !is_cache(call->path);
}

static struct start_search *open_search(struct start *start, const char *name)
{
	for (size_t i = start->search_count; i-- > 0;)
		if (!start->searches[i].found && !strcmp(start->searches[i].name, name))
			return &start->searches[i];
	start->searches = checked_grow(start->searches, start->search_count, sizeof(*start->searches));
	start->searches[start->search_count] = (struct start_search){ .name = checked_strdup(name) };
	return &start->searches[start->search_count++];
}

void start_searches__find(struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];
		struct start_search *search;

		if (!tries(call))
			continue;
		search = open_search(start, text__file_name(call->path));
		search->tries++;
		search->ns += call->ns == ABSENT ? 0 : call->ns;
		if (start_call__errno(call))
			search->failed++;
		else if (start_calls__map_library(start, i))
			search->found = checked_strdup(call->path);
	}
}

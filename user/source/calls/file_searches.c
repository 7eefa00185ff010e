// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/file_searches.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static void keep(struct file_searches *searches, struct search_entry **list, const struct search_entry *search)
{
	struct search_entry *at = *list;

	while (at && (at->first != search->first || at->found != search->found ||
		      at->actor != search->actor || at->failures != search->failures))
		at = at->sibling;
	if (at) {
		at->times += search->times;
	} else if (searches->count >= SEARCHES_MOST) {
		searches->left_out += search->times;
	} else {
		at = checked_calloc(1, sizeof(*at));
		*at = *search;
		at->sibling = *list;
		*list = at;
		searches->count++;
	}
}

/*
 * Tries of a single path that failed are no search, however many; unless the file was found
 * in another place afterwards.
 */
static void end_search(struct file_searches *searches, struct stream_process *process, enum actor actor, uint32_t found)
{
	struct ongoing_search *ongoing = &process->searches[actor];
	const struct search_entry search = { .first = ongoing->first, .found = found,
					     .actor = actor, .failures = ongoing->failures,
					     .times = 1 };

	if (ongoing->several || (ongoing->failures && found && found != ongoing->first))
		keep(searches, &process->found, &search);
	*ongoing = (struct ongoing_search){ 0 };
}

static bool same_name(const struct path_table *paths, uint32_t one, uint32_t other)
{
	return !strcmp(text__file_name(path_table__text(paths, one)), text__file_name(path_table__text(paths, other)));
}

/* Is `directory` one that `path` lies in? ld.so asks whether that is there, too. */
static bool lies_in(const struct path_table *paths, uint32_t path, uint32_t directory)
{
	const char *inner = path_table__text(paths, path);
	const char *outer = path_table__text(paths, directory);
	size_t length = strlen(outer);

	while (length > 1 && outer[length - 1] == '/')
		length--;
	return !strncmp(inner, outer, length) && inner[length] == '/';
}

void file_searches__tried(struct file_searches *searches, struct stream_process *process,
			  enum actor actor, uint32_t path, int error)
{
	struct ongoing_search *ongoing = &process->searches[actor];

	if (path_table__kind(searches->paths, path) != FILE_NAMED)
		return;
	if (ongoing->first && lies_in(searches->paths, ongoing->last, path))
		return;
	if (ongoing->first && !same_name(searches->paths, ongoing->first, path))
		end_search(searches, process, actor, 0);
	if (!error) {
		end_search(searches, process, actor, path);
		return;
	}
	if (!ongoing->first)
		ongoing->first = path;
	ongoing->last = path;
	ongoing->several |= path != ongoing->first;
	ongoing->failures++;
}

void file_searches__end(struct file_searches *searches, struct stream_process *process)
{
	for (int actor = 0; actor <= ACTOR_COUNT; actor++)
		end_search(searches, process, actor, 0);
}

void file_searches__move(struct file_searches *searches, struct search_entry **list, struct search_entry **to)
{
	while (*list) {
		struct search_entry *moved = *list;

		*list = moved->sibling;
		searches->count--;
		keep(searches, to, moved);
		free(moved);
	}
}

void file_searches__release(struct search_entry **list)
{
	while (*list) {
		struct search_entry *next = (*list)->sibling;

		free(*list);
		*list = next;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* S6: the program's own searches: PATH, directories of modules, configuration. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/start/start_cost.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"

enum { NAMED_MOST = 4, TRIES_LEAST = 2 };

/* A name that was searched for and not found. */
struct missing {
	const char *name;
	uint64_t times; /* each at a path of its own: the same path again is S7's */
};

/* Locales and character sets are S3's. */
static bool is_missing(const struct start_call *call)
{
	return start_call__misses(call) && call->actor == ACTOR_PROGRAM &&
	       call->reason != REASON_LOCALE && call->reason != REASON_GCONV;
}

static int by_name(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;
	const int order = strcmp(text__file_name(a), text__file_name(b));

	return order ? order : strcmp(a, b);
}

/* The paths of all misses, by the name of the file. */
static size_t list_paths(const struct start *start, const char **paths)
{
	size_t count = 0;

	for (size_t i = 0; i < start->call_count; i++)
		if (is_missing(&start->calls[i]))
			paths[count++] = start->calls[i].path;
	if (count)
		qsort(paths, count, sizeof(*paths), by_name);
	return count;
}

static size_t count_names(const struct start *start, struct missing *names)
{
	autofree const char **paths = checked_calloc(start->call_count + 1, sizeof(*paths));
	const size_t path_count = list_paths(start, paths);
	size_t count = 0;

	for (size_t i = 0; i < path_count; i++) {
		const char *name = text__file_name(paths[i]);

		if (i && !strcmp(paths[i], paths[i - 1]))
			continue;
		if (!count || strcmp(names[count - 1].name, name) != 0)
			names[count++] = (struct missing){ .name = name };
		names[count - 1].times++;
	}
	return count;
}

static int by_times(const void *left, const void *right)
{
	const struct missing *a = left, *b = right;

	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Names that were tried at more than one path, so by a search; NULL: none. To be freed. */
static char *names_of(const struct start *start)
{
	autofree struct missing *names = checked_calloc(start->call_count + 1, sizeof(*names));
	struct name_list list = { .most = NAMED_MOST };
	const size_t count = count_names(start, names);

	qsort(names, count, sizeof(*names), by_times);
	for (size_t i = 0; i < count && names[i].times >= TRIES_LEAST; i++) {
		char *name = text__of("%s (%" PRIu64 " paths)", names[i].name, names[i].times);

		name_list__add(&list, name);
		free(name);
	}
	return name_list__finish(&list);
}

bool rule__s06_missing(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	const struct start_cost cost = start_cost__of(start, is_missing);
	autofree char *names = NULL;

	if (!cost.calls)
		return false;
	names = names_of(start);
	advice->evidence = text__of("Calls of the program for files that do not exist: "
				    "%" PRIu64 ", %s as traced.%s%s%s", cost.calls,
				    quantity__time(cost.ns).text,
				    names ? " Not found at several paths: " : "", names ? names : "",
				    names ? "." : "");
	advice->action = text__of("%s", names ?
		"Put directories that have the files first in the search path (PATH, directories of modules), "
		"name files by their absolute path, or remove directories that have none of them." :
		"None was tried at more than one path, so no search path is behind it: turn off what asks for "
		"these files (--show=start-calls lists them), if the program has an option for that.");
	start_cost__predict(&cost, subject, advice);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/python.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

bool python__is(const struct start_subject *subject)
{
	return subject->program && !strncmp(subject->program, "python", strlen("python"));
}

static bool has_any(const char *path, const char *const *parts)
{
	for (size_t i = 0; path && parts[i]; i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

struct start_cost python__calls(const struct start *start, const char *const *parts)
{
	struct start_cost cost = { 0 };

	for (size_t i = 0; i < start->call_count; i++)
		if (has_any(start->calls[i].path, parts))
			start_cost__add(&cost, &start->calls[i]);
	return cost;
}

static bool opens_module(const struct start_call *call)
{
	const char *end = call->path ? strrchr(call->path, '.') : NULL;

	return end && !strcmp(end, ".pyc") && call->returned && !start_call__errno(call) &&
	       !strncmp(call->name, "open", strlen("open"));
}

char *python__modules(const struct start *start)
{
	uint64_t opened = 0;

	for (size_t i = 0; i < start->call_count; i++)
		opened += opens_module(&start->calls[i]);
	return text__of("Compiled modules (.pyc) that were opened: %" PRIu64 ".", opened);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/python.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

bool python__is(const struct start_subject *subject)
{
	static const char name[] = "python";

	return subject->program && !strncmp(subject->program, name, strlen(name)) &&
	       !subject->program[strlen(name) + strspn(subject->program + strlen(name), "0123456789.")];
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

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

/* Ends with what is to run: -c CODE, -m MODULE, a script. */
bool python__has_option(const struct start_subject *subject, const char *letters)
{
	const struct run *run = subject->run;

	for (size_t i = 1; i < run->command_count; i++) {
		const char *option = run->command[i];

		if (option[0] != '-' || !option[1] || !strcmp(option, "--"))
			return false;
		for (const char *letter = option + 1; option[1] != '-' && *letter; letter++) {
			if (strchr(letters, *letter))
				return true;
			if (*letter == 'c' || *letter == 'm')
				return false;
			if (*letter == 'W' || *letter == 'X') {
				i += !letter[1]; /* its argument is the next word */
				break;
			}
		}
	}
	return false;
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

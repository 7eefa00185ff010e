// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/source.h"

#include "base/text.h"

static const char *const abilities[ABILITY_COUNT] = {
	[ABILITY_COMMAND] = "trace a command",
	[ABILITY_ATTACH] = "trace processes that already run",
	[ABILITY_FAULT_TOTALS] = "count page faults",
	[ABILITY_FAULT_CLASSES] = "count page faults by class",
	[ABILITY_CALL_TIMES] = "measure the duration of system calls",
	[ABILITY_ALL_PROCESSES] = "list every process",
	[ABILITY_ANATOMY] = "record the anatomy of forks",
	[ABILITY_STACKS] = "take call stacks of page faults",
	[ABILITY_FILES] = "record which files calls use",
	[ABILITY_PATHS] = "select calls by path",
	[ABILITY_FLOW] = "record which pages stop being shared",
	[ABILITY_START] = "record a start call by call",
};

int source__check(const struct source *source, const struct source_request *request, char **message)
{
	for (int ability = 0; ability < ABILITY_COUNT; ability++) {
		const char *reason = source_request__has(request, ability)
					     ? source->cannot(ability)
					     : NULL;

		if (reason)
			return error__set(message, "the source %s cannot %s: %s", source->name,
					  abilities[ability], reason);
	}
	return 0;
}

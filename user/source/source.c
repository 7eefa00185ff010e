// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/source.h"

#include "base/text.h"

static const char *const abilities[ABILITY_COUNT] = {
#define ABILITY(name, words, needed) [ABILITY_##name] = words,
#include "source/abilities.def"
#undef ABILITY
};

int source__check(const struct source *source, const struct source_request *request, char **message)
{
	for (int ability = 0; ability < ABILITY_COUNT; ability++) {
		const char *reason = source_request__has(request, ability) ? source->cannot(ability) : NULL;

		if (reason)
			return error__set(message, "the source %s cannot %s: %s%s", source->name, abilities[ability],
					  reason, source->by_ptrace ? "; leave out --source=strace" : "");
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/section_names.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned int documents;
} names[] = {
#define SECTION(id, name, documents) { name, documents },
#include "report/sections.def"
#undef SECTION
};

const char *section__name(enum section_id id)
{
	return id < SHOW_COUNT ? names[id].name : NULL;
}

int section__find(const char *name, unsigned int documents, int from)
{
	for (int id = from; id < SHOW_COUNT; id++)
		if ((names[id].documents & documents) && !strcmp(names[id].name, name))
			return id;
	return SHOW_COUNT;
}

bool section__has_names(unsigned int documents)
{
	for (int id = 0; id < SHOW_COUNT; id++)
		if (names[id].documents & documents)
			return true;
	return false;
}

bool section__is_in(unsigned int documents, const bool *chosen)
{
	bool any = false;

	for (int id = 0; id < SHOW_COUNT; id++) {
		if (chosen[id] && (names[id].documents & documents))
			return true;
		any |= chosen[id];
	}
	return !any;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "report/section_names.h"

/* Which documents the commands of the row print. */
static unsigned int documents_of(const struct option_row *row)
{
	static const struct {
		unsigned int command, documents;
	} printed[] = {
#define COMMAND(id, name, documents) { FOR_##id, documents },
#include "cmd/commands.def"
#undef COMMAND
	};
	unsigned int documents = 0;

	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++)
		if (row->commands & printed[i].command)
			documents |= printed[i].documents;
	return documents;
}

/* Two ids may have one name: each name once. */
static const char *show_word(const struct option_row *row, size_t index)
{
	const unsigned int documents = documents_of(row);

	for (int id = 0; id < SHOW_COUNT; id++)
		if (section__find(section__name(id), documents, 0) == id && !index--)
			return section__name(id);
	return NULL;
}

/* Names add up: --show=calls --show=faults shows both. */
static int take_show(const struct option_row *row, void *field, const char *argument, char **reason)
{
	const unsigned int documents = documents_of(row);
	autofree char *list = checked_strdup(argument);
	char *rest = list, *name;
	bool *chosen = field;

	while ((name = strsep(&rest, ","))) {
		int id = section__find(name, documents, 0);

		if (id == SHOW_COUNT)
			return option_row__wrong_word(row, name, reason);
		for (; id < SHOW_COUNT; id = section__find(name, documents, id + 1))
			chosen[id] = true;
	}
	return 0;
}

const struct option_type option_show = {
	.completes = "list", .take = take_show, .word = show_word,
};

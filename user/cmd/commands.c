// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/commands.h"

#include <string.h>

const char *command__word(const struct command *command)
{
	const char *space = strrchr(command->name, ' ');

	return space ? space + 1 : command->name;
}

const struct command *commands__find(const struct command *const *commands, const char *word)
{
	while (*commands && strcmp(command__word(*commands), word) != 0)
		commands++;
	return *commands;
}

void commands__list(const struct command *const *commands, FILE *stream)
{
	for (; *commands; commands++)
		fprintf(stream, "  %-8s  %s\n", command__word(*commands), (*commands)->summary);
}

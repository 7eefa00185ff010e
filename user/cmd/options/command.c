// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of a command: those of all its sets, and --help, which every command has. */
#include "cmd/options/command.h"

#include "cmd/options/types.h"

const struct option_row help_rows[] = {
	OPTION('h', "help", NULL, &option_ignored, { 0 }, NULL),
	{ 0 },
};
static const struct option_set help_set = { NULL, help_rows, 0 };

static void visit_set(const struct command *command, const struct option_set *set, option_visit *visit, void *context)
{
	for (const struct option_row *row = set->rows; row->letter || row->name; row++) {
		if (!row->commands || row->commands & command->flag)
			visit(context, set, row);
	}
}

void command__visit(const struct command *command, option_visit *visit, void *context)
{
	for (const struct option_set *set = command->sets; set && set->rows; set++)
		visit_set(command, set, visit, context);
	visit_set(command, &help_set, visit, context);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/options/command.h"
#include "cmd/options/types.h"
#include "format/output.h"
#include "format/wrap.h"

enum { HELP_COLUMN = 23 }; /* of the explanations */

/* "  -o, --output=FILE"; to be freed. */
static char *label_of(const struct option_row *row)
{
	const char letter[] = { row->letter, '\0' };
	char *label = row->letter ? text__of("  -%s%s", letter, row->name ? ", " : "") : checked_strdup("      ");

	if (row->name)
		text__replace(&label, "%s--%s", label, row->name);
	if (row->argument && row->type->optional)
		text__replace(&label, "%s[=%s]", label, row->argument);
	else if (row->argument)
		text__replace(&label, "%s=%s", label, row->argument);
	return label;
}

/* Where help goes, and the set of the last line. */
struct help {
	struct table_output output;
	const struct option_set *set;
};

static void print_row(void *context, const struct option_set *set, const struct option_row *row)
{
	struct help *help = context;
	FILE *stream = help->output.stream;
	autofree char *label = NULL;

	if (!row->help)
		return;
	if (set != help->set && (set->title || !help->set))
		fprintf(stream, "\n%s%s", set->title ? set->title : "", set->title ? "\n" : "");
	help->set = set;
	label = label_of(row);
	if (strlen(label) < HELP_COLUMN) {
		wrap__print(label, row->help, 0, HELP_COLUMN, &help->output);
	} else {
		fprintf(stream, "%s\n", label);
		wrap__print(NULL, row->help, 0, HELP_COLUMN, &help->output);
	}
}

/* One line for each form of the command. */
static void print_synopsis(const struct command *command, FILE *stream)
{
	const char *line = command->synopsis, *before = "usage: ";

	while (line) {
		const char *end = strchr(line, '\n');
		int length = end ? (int)(end - line) : (int)strlen(line);

		fprintf(stream, "%sforktax %s%s%.*s\n", before, command->name, length ? " " : "", length, line);
		line = end ? end + 1 : NULL;
		before = "       ";
	}
}

void command__help(const struct command *command, FILE *stream)
{
	struct help help = { .output = table_output__for(stream, TABLE_TEXT, COLOUR_NEVER) };

	print_synopsis(command, stream);
	fputc('\n', stream);
	wrap__print(NULL, command->about, 0, 0, &help.output);
	command__visit(command, print_row, &help);
}

/* The command whose rows are dumped, and where to. */
struct dump {
	const struct command *command;
	FILE *stream;
};

static void dump_row(void *context, const struct option_set *set, const struct option_row *row)
{
	const struct option_type *type = row->type;
	const struct dump *dump = context;
	const char letter[] = { row->letter, '\0' };

	fprintf(dump->stream, "%s\t%s\t%s\t%s\t%s\t%s\t", dump->command->name, letter,
		row->name ? row->name : "", row->argument ? row->argument : "",
		type->optional ? "optional" : "", type->completes ? type->completes : "");
	for (size_t i = 0; option_row__word(row, i); i++)
		fprintf(dump->stream, "%s%s", i ? " " : "", option_row__word(row, i));
	fprintf(dump->stream, "\t%s\n", row->help ? row->help : "");
}

static void dump_command(const struct command *command, FILE *stream)
{
	fprintf(stream, "%s\t%s\t%s\t%s", command->name, command->summary,
		command->operands ? command->operands : "", command->permutes ? "mixed" : "");
	for (const char *form = command->synopsis; form; form = strchr(form, '\n')) {
		form += *form == '\n';
		fprintf(stream, "\t%.*s", (int)strcspn(form, "\n"), form);
	}
	fputc('\n', stream);
}

void commands__dump_names(const struct command *const *commands, FILE *stream)
{
	for (; *commands; commands++) {
		dump_command(*commands, stream);
		if ((*commands)->parts)
			commands__dump_names((*commands)->parts, stream);
	}
}

void commands__dump(const struct command *const *commands, FILE *stream)
{
	for (; *commands; commands++) {
		struct dump dump = { *commands, stream };

		if ((*commands)->parts)
			commands__dump((*commands)->parts, stream);
		else
			command__visit(*commands, dump_row, &dump);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options as rows of tables. From a row come the tables of getopt_long(), the line of --help, the
 * complaints, what a shell may complete and, by docs/reference/man/make-page, the heading in the manual. To add an
 * option, add a row here and a paragraph there (docs/contribute/howto-add-an-option.md).
 */
#ifndef FORKTAX_CMD_OPTIONS_ROW_H
#define FORKTAX_CMD_OPTIONS_ROW_H

#include <stdbool.h>
#include <stddef.h>

struct option_row;

/* What an option takes: how it is read, and how a shell may complete it (types.h has most). */
struct option_type {
	const char *completes; /* a kind of cmd/completion/make-scripts, or any other word; NULL: takes no argument */
	/*
	 * Stores the value at `field`, where the row has it. Returns 0, or -1 and stores a reason
	 * (to be freed) that follows the option and its argument: "must be ...".
	 */
	int (*take)(const struct option_row *row, void *field, const char *argument, char **reason);
	/* The allowed words, then NULL. No function: row->words has them, if there are any. */
	const char *(*word)(const struct option_row *row, size_t index);
	bool optional; /* the argument may be left out: NULL then */
};

/* Where the value of a row goes in the struct of its set; { 0 }: the struct itself. */
struct option_field {
	size_t offset, size;
};
#define FIELD(type, member) { offsetof(type, member), sizeof(((type *)0)->member) }

struct option_row {
	char letter; /* '\0': none */
	const char *name; /* of the long option; NULL: none */
	const char *argument; /* as --help calls it; NULL: takes none */
	const struct option_type *type;
	struct option_field field;
	const char *help; /* NULL: another name of the row before, left out of --help */
	unsigned int commands; /* FOR_...: which commands with this set have the row; 0: all */
	double least, most; /* of a number */
	const char *const *words; /* the allowed ones; NULL ends them */
	const char *one_of; /* rows with the same word here exclude each other */
	const char *needs; /* long name of an option that must also be given */
	const char *implies; /* long name of a flag that is given with it */
};

/* A row: OPTION(letter, name, argument, type, field, help, any other members). */
#define OPTION(letter_, name_, argument_, type_, field_, ...)                                      \
	{                                                                                          \
		.letter = letter_, .name = name_, .argument = argument_, .type = type_,            \
		.field = field_, .help = __VA_ARGS__                                               \
	}

/* Commands, for option_row.commands: a bit each. FOR_BENCH: all measurements. */
enum {
#define COMMAND(id, name, documents) NUMBER_OF_##id,
#include "cmd/commands.def"
#undef COMMAND
#define COMMAND(id, name, documents) FOR_##id = 1 << NUMBER_OF_##id,
#include "cmd/commands.def"
#undef COMMAND
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command and its options: rows (row.h) stand in sets, each with the struct that its values go
 * to. A command has some of the sets, and its settings contain their structs.
 */
#ifndef FORKTAX_CMD_OPTIONS_COMMAND_H
#define FORKTAX_CMD_OPTIONS_COMMAND_H

#include <stdio.h>

#include "cmd/options/row.h"

/* Rows end with one that has neither letter nor name. */
struct option_set {
	const char *title; /* for --help; NULL: goes on below the set before */
	const struct option_row *rows; /* NULL: no more sets */
	size_t offset; /* of their struct in the settings of the command */
};

struct command {
	const char *name; /* "run", "bench fork" */
	const char *summary; /* one line, for the list of commands */
	const char *synopsis; /* what follows the name; lines if there are several ways */
	const char *about; /* a paragraph */
	unsigned int flag; /* FOR_... */
	bool permutes; /* options may follow operands */
	const struct option_set *sets;
	/* argv[0] is the last word of the name. Returns the exit status. */
	int (*main)(const struct command *command, int argc, char **argv);
	const struct command *const *parts; /* "bench": has these and no options; NULL ends them */
};

/*
 * Stores what the command line says in `settings`, whose sets are those of the command; optind is
 * then at the first operand. False if that is all there is to do: --help was given, or an option
 * is wrong, which was complained about; *status is the exit status.
 */
bool options__parse(const struct command *command, int argc, char **argv, void *settings,
		    int *status);

/* Prints --help. */
void command__help(const struct command *command, FILE *stream);
/*
 * One line for each option of the commands: command, letter, long name, argument, "optional" if
 * that may be left out, what completes it, the words that are allowed; with tabs between.
 */
void commands__dump(const struct command *const *commands, FILE *stream);

/* Calls `visit` for each row that the command has, with its set; --help comes last. */
typedef void option_visit(void *context, const struct option_set *set,
			  const struct option_row *row);
void command__visit(const struct command *command, option_visit *visit, void *context);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command and its options. Rows (row.h) form sets; the values of a set go to one struct. A command
 * has some of the sets, and its settings contain their structs.
 */
#ifndef FORKTAX_CMD_OPTIONS_COMMAND_H
#define FORKTAX_CMD_OPTIONS_COMMAND_H

#include <stdio.h>

#include "cmd/options/row.h"

/* A row with neither letter nor name ends the rows. */
struct option_set {
	const char *title; /* for --help; NULL: continues the set before */
	const struct option_row *rows; /* NULL: no more sets */
	size_t offset; /* of its struct in the settings of the command */
};

/* Options that another tool has, with blanks between, and what to say of them. A table ends with { 0 }. */
struct option_hint {
	const char *options, *words;
};

struct command {
	const char *name; /* "run", "bench fork" */
	const char *summary; /* one line, for the list of commands */
	const char *synopsis; /* what follows the name; lines if there are several ways */
	const char *about; /* a paragraph */
	unsigned int flag; /* FOR_... */
	bool permutes; /* options may follow operands */
	/*
	 * What shells complete its operands by: "command" (a command and its arguments), "line" (each is
	 * a command line, or a file), "saved" (a file). NULL: nothing.
	 */
	const char *operands;
	const struct option_hint *hints; /* of options of other tools that it does not have; NULL: none */
	const struct option_set *sets;
	/* argv[0] is the last word of the name. Returns the exit status. Most have command__run(). */
	int (*main)(const struct command *command, int argc, char **argv);
	/*
	 * For command__run(), by SETTINGS: what the options are stored in, of what that begins as, and where
	 * its struct report_options `display` is.
	 */
	size_t size, display;
	const void *defaults; /* NULL: all 0 */
	/* Sets what else it begins as, by the machine or the command line. May be NULL. */
	void (*begin)(void *settings, const struct command *command, int argc, char **argv);
	bool prints_to_stderr; /* what has no -o */
	bool prints_at_once; /* need not try before whether the report can be written */
	/*
	 * Refuses what does not go together, acts, and frees what `settings` owns besides `display`. The first
	 * and the last may be NULL. Exit statuses; if *signal is set, forktax dies of that instead.
	 */
	int (*check)(void *settings, char **operands);
	int (*act)(void *settings, char **operands, int *signal);
	void (*release)(void *settings);
	const struct command *const *parts; /* of "bench", in place of options; NULL ends them */
};

/* SETTINGS(type, initial members): for a struct command. */
#define SETTINGS(type, ...) \
	.size = sizeof(type), .display = offsetof(type, display), .defaults = &(const type){ __VA_ARGS__ }

/*
 * Stores what the command line says in `settings`; optind is then the index of the first operand.
 * Returns false if nothing is left to do, because --help was given, or an option was wrong and was
 * complained about: *status is then the exit status.
 */
bool options__parse(const struct command *command, int argc, char **argv, void *settings, int *status);

/* Prints --help. */
void command__help(const struct command *command, FILE *stream);
/*
 * Prints a line for each option of the commands, with tabs between: command, letter, long name,
 * argument, "optional" if that may be left out, what completes it, the allowed words, help (none:
 * another name of the row before).
 */
void commands__dump(const struct command *const *commands, FILE *stream);
/*
 * A line for each command, and each of its parts: name, summary, what its operands are, "mixed" if
 * options may follow them, each form of its synopsis.
 */
void commands__dump_names(const struct command *const *commands, FILE *stream);

extern const struct option_row help_rows[]; /* --help, which every command has */
/* Calls `visit` for each row of the command, with its set; --help comes last. */
typedef void option_visit(void *context, const struct option_set *set, const struct option_row *row);
void command__visit(const struct command *command, option_visit *visit, void *context);

#endif

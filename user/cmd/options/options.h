/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options as rows of tables. From a row come the tables of getopt_long(), the lines of --help, what
 * a shell may complete (forktax --dump-options) and, by docs/check-manual, what the manual must
 * have: adding an option is a row and its text there.
 *
 *	static const struct option_row rows[] = {
 *		OPTION('T', "time", NULL, &option_flag, FIELD(struct run_settings, trace.timed),
 *		       "measure how long each system call takes"),
 *		{ 0 },
 *	};
 *
 * Rows stand in sets, each with the struct that its values go to; a command has some of the sets,
 * and its settings contain their structs.
 */
#ifndef FORKTAX_CMD_OPTIONS_OPTIONS_H
#define FORKTAX_CMD_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmd/options/types.h"

/* Where the value of a row goes, in the struct of its set; { 0 }: the struct itself. */
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
	const char *help; /* NULL: the row before by another name, which --help leaves out */
	unsigned int commands; /* FOR_...: which of those with the set have it; 0: all */
	double least, most; /* of a number */
	const char *const *words; /* that are allowed; NULL ends them */
	const struct sweep_axis *axes; /* of a bench, for types in cmd/bench_options.h */
	const char *one_of; /* no two rows that say the same here may be given together */
	const char *needs; /* long name of a row that must be given, too */
};

/* OPTION(letter, name, argument, type, field, help and whatever else there is to say): a row. */
#define OPTION(letter_, name_, argument_, type_, field_, ...)                                      \
	{                                                                                          \
		.letter = letter_, .name = name_, .argument = argument_, .type = type_,            \
		.field = field_, .help = __VA_ARGS__                                               \
	}

/* Rows end with one that has neither letter nor name. */
struct option_set {
	const char *title; /* for --help; NULL: goes on below the set before */
	const struct option_row *rows; /* NULL: no more sets */
	size_t offset; /* of their struct in the settings of the command */
};

enum {
	FOR_RUN = 1,
	FOR_COMPARE = 2,
	FOR_BINDNOW = 4,
	FOR_EXPLAIN = 8,
	FOR_REPORT = 16,
	FOR_BENCH = 32, /* all measurements */
	FOR_DOCTOR = 64,
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

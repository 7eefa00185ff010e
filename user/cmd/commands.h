/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The commands, each in the file of its name, lists of them that end with NULL, and what they share:
 * complaints, progress, and how they end.
 */
#ifndef FORKTAX_CMD_COMMANDS_H
#define FORKTAX_CMD_COMMANDS_H

#include "cmd/options/command.h"

struct bench_progress;
struct report_options;

/* docs/reference/man/forktax.1.scd, EXIT STATUS. */
enum {
	EXIT_REGRESSED = 1,
	EXIT_USAGE = 2,
	EXIT_INEXACT = 3,
	EXIT_NOT_COMPARABLE = 4,
	EXIT_FORKTAX = 125,
	EXIT_REFUSED = 126,
	EXIT_MISSING = 127
};

#define COMMAND(id, name, documents) extern const struct command name##_command;
#include "cmd/commands.def"
#undef COMMAND

/*
 * What most commands do: reads the options, explains the counters if --counters asks for that, lets the
 * command check its settings, tries whether the report can be written, and lets the command act. For
 * struct command.
 */
int command__run(const struct command *command, int argc, char **argv);

/* The command with that word, or NULL. */
const struct command *commands__find(const struct command *const *commands, const char *word);
/* Prints a line "  WORD      SUMMARY" for each. */
void commands__list(const struct command *const *commands, FILE *stream);

/*
 * Prints on stderr, on one line where that is no terminal, what failed ("forktax NAME: ..."), made safe for a terminal:
 * names and the contents of files are not trusted. NULL: forktax itself. Returns `status`.
 */
int print_error(const char *name, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Dies of the signal that ended the command, or us, for our parent to see. Returns if that fails. */
int die_like(int signal);

/* Returns 0 if everything written to stdout has arrived, else EXIT_FORKTAX after a complaint. */
int finish_stdout(const char *name);

/* How far a measurement is, on one line of stderr. For bench_request.progress; no context. */
void bench_progress__show(void *context, const struct bench_progress *progress);
void bench_progress__clear(void);
/* Does somebody look: on a terminal, and not asked to be quiet? */
bool bench_progress__is_wanted(const struct report_options *options);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The commands, each in the file of its name, and lists of them that end with NULL.
 */
#ifndef FORKTAX_CMD_COMMANDS_H
#define FORKTAX_CMD_COMMANDS_H

#include "cmd/options/command.h"

/* docs/forktax.1.scd, EXIT STATUS. */
enum { EXIT_USAGE = 2, EXIT_INEXACT = 3, EXIT_FORKTAX = 125, EXIT_REFUSED = 126, EXIT_MISSING = 127 };

extern const struct command run_command, compare_command, bindnow_command, explain_command,
	bench_command, report_command, doctor_command;

/* What to type for it: the last word of its name. */
const char *command__word(const struct command *command);
/* The command of that word; NULL: there is none. */
const struct command *commands__find(const struct command *const *commands, const char *word);
/* "  WORD      SUMMARY", a line for each. */
void commands__list(const struct command *const *commands, FILE *stream);

#endif

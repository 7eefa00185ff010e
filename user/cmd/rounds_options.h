/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of subcommands that run commands in turns.
 */
#ifndef FORKTAX_CMD_ROUNDS_OPTIONS_H
#define FORKTAX_CMD_ROUNDS_OPTIONS_H

#include <getopt.h>

#include "measure/command/rounds.h"

enum rounds_option {
	OPTION_TRACED_RUNS = 0x3000,
	OPTION_NO_TIME,
	OPTION_NO_ASLR,
	OPTION_SHOW_OUTPUT,
};

#define ROUNDS_SHORT_OPTIONS "n:i"
#define ROUNDS_LONG_OPTIONS                                                                        \
	{ "runs", required_argument, NULL, 'n' },                                                  \
	{ "no-time", no_argument, NULL, OPTION_NO_TIME },                                          \
	{ "traced-runs", required_argument, NULL, OPTION_TRACED_RUNS },                            \
	{ "no-aslr", no_argument, NULL, OPTION_NO_ASLR },                                          \
	{ "show-output", no_argument, NULL, OPTION_SHOW_OUTPUT },                                  \
	{ "ignore-failure", no_argument, NULL, 'i' }

/* These return 0, or EXIT_USAGE after a complaint. */

/* Takes one of the options above; there are no others for it. */
int rounds__take(struct rounds *rounds, int option, const char *argument);
/* Is there anything to be run? */
int rounds__check(const struct rounds *rounds);
/* A number from `min` to 100000. */
int take_number(const char *name, const char *option, const char *text, size_t min,
		size_t *number);

#endif

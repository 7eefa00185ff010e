/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forktax help COMMAND: pages of the manual, also of a forktax that is not installed.
 */
#ifndef FORKTAX_CMD_MANUAL_H
#define FORKTAX_CMD_MANUAL_H

#include "cmd/options/command.h"

/*
 * Becomes man(1) with the page of a command. Returns only where there is no page or no man: prints
 * what --help does instead, says so on stderr, and returns the exit status of that.
 */
int manual__show(const struct command *command);

#endif

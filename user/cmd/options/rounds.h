/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of commands that run others in turns: values go to a struct rounds.
 */
#ifndef FORKTAX_CMD_OPTIONS_ROUNDS_H
#define FORKTAX_CMD_OPTIONS_ROUNDS_H

#include "cmd/options/row.h"
#include "cmd/rounds.h"

extern const struct option_row rounds_rows[];

enum { ROUNDS_MAX = 100000 };

/* Is there anything to be run? 0, or EXIT_USAGE after a complaint. */
int rounds__check(const struct rounds *rounds);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the text of a script names a program that it has started: of interpreters whose lines are not known.
 */
#ifndef FORKTAX_RESOLVE_LINES_SCRIPT_NAMES_H
#define FORKTAX_RESOLVE_LINES_SCRIPT_NAMES_H

#include "model/run/run.h"

/* Fills `named` of the largest executions without a line, whose parents all ran the same script. */
void script_names__find(struct run *run);

#endif

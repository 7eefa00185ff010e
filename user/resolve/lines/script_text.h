/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What stands in the lines of scripts that forked.
 */
#ifndef FORKTAX_RESOLVE_LINES_SCRIPT_TEXT_H
#define FORKTAX_RESOLVE_LINES_SCRIPT_TEXT_H

#include "model/lines/script_lines.h"

/*
 * Reads the text of each line from its file, if that still is as it was when a shell opened it. Else each file
 * says why not.
 */
void script_text__read(struct script_lines *lines);

#endif

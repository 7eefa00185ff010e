/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would make the lines of a traced bash script create fewer processes: the rules of
 * model/advice/rules_lines.def, applied to the lines whose text is known.
 */
#ifndef FORKTAX_ADVICE_LINES_LINES_ADVICE_H
#define FORKTAX_ADVICE_LINES_LINES_ADVICE_H

#include "analysis/forks/fork_breakdowns.h"

/*
 * Fills run->lines->advice, if lines were recorded: most processes saved first. Without breakdowns (NULL) and
 * calibrated costs no time is predicted. Call it once, for live runs only.
 */
void lines_advice__find(struct run *run, const struct fork_breakdowns *breakdowns);

#endif

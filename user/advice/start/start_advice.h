/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would make the start of a traced command shorter: the rules of model/advice/rules_start.def, applied to the
 * recorded calls (analysis/start must have explained them).
 */
#ifndef FORKTAX_ADVICE_START_START_ADVICE_H
#define FORKTAX_ADVICE_START_START_ADVICE_H

#include "model/run/run.h"

/*
 * Fills run->start->advice. Needs run->start and calibrated costs; figures of a start are per start.
 * Call it once, for live runs only. `environment` is what the command got: what a rule would try is not
 * advised where it is set already; NULL: not known.
 */
void start_advice__find(struct run *run, char *const *environment);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would make the start of a traced command shorter: the rules of rules_start.def, applied to the
 * recorded calls (analysis/start must have explained them).
 */
#ifndef FORKTAX_ADVICE_START_START_ADVICE_H
#define FORKTAX_ADVICE_START_START_ADVICE_H

#include "model/run.h"

/*
 * Fills run->start->advice. Needs run->start and calibrated costs; figures of a start are per start.
 * Call it once, for live runs only. `environment` is what the command got: what a rule would try is not
 * advised where it is set already; NULL: not known.
 */
void start_advice__find(struct run *run, char *const *environment);

/*
 * How to try it without rebuilding anything: NAME=VALUE for the environment, or an option ("-I") that
 * goes behind argv[0]. NULL: it cannot be tried this way, and `advice->tried` says why.
 */
const char *start_advice__way(const struct advice *advice);

#endif

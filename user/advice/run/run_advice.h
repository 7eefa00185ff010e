/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would shorten a run as a whole: the rules of model/advice/rules_run.def, applied to its bill.
 */
#ifndef FORKTAX_ADVICE_RUN_RUN_ADVICE_H
#define FORKTAX_ADVICE_RUN_RUN_ADVICE_H

#include "model/run/run.h"

/*
 * Fills run->advice, unless the run has no bill. Call it once, when the times of untraced runs are in the bill.
 * `of_files`: another run of the command, with files; NULL: there is none. `environment`: of the command; NULL: not
 * known. The limits of the command are taken to be ours.
 */
void run_advice__find(struct run *run, const struct run *of_files, char *const *environment);
/* Do children that execute nothing open so many files that it is worth a look which? */
bool run_advice__needs_files(const struct run *run);
/* Does the command sleep so long that it is worth a look for what? */
bool run_advice__needs_waits(const struct run *run);

#endif

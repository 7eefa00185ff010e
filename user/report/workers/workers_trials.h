/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a pool came to under a load, as it is and with remedies, and the advice that follows.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_TRIALS_H
#define FORKTAX_REPORT_WORKERS_WORKERS_TRIALS_H

#include "format/table.h"
#include "model/pool_trials.h"

/* The pool and its load, one table of the ways, and what each rule has to say. */
void workers_trials__print(const struct pool_trials *trials, const struct table_output *output);
const char *workers_trials__way(enum pool_way way); /* in words */
/* For programs: all runs, and the advice. */
void workers_trials__data(const struct pool_trials *trials, const struct table_output *output);

#endif

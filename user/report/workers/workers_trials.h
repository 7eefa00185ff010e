/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a pool came to under a load, as it is and with remedies, and the advice that follows.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_TRIALS_H
#define FORKTAX_REPORT_WORKERS_WORKERS_TRIALS_H

#include "format/table.h"
#include "model/workers/pool_trials.h"
#include "report/options.h"

/* The pool and its load, one table of the ways, and what each rule has to say. */
void workers_trials__print(const struct pool_trials *trials, const struct report_options *options,
			   const struct table_output *output);
/* The remedies as rows, the largest measured saving first. */
void workers_trials__print_brief(const struct pool_trials *trials, const struct report_options *options,
				 const struct table_output *output);
/* For programs: all runs, and the advice. */
void workers_trials__data(const struct pool_trials *trials, const struct table_output *output);

#endif

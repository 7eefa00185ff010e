/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a watch takes of the machine, and when it has to count less.
 */
#ifndef FORKTAX_ANALYSIS_WATCH_WATCH_BUDGET_H
#define FORKTAX_ANALYSIS_WATCH_WATCH_BUDGET_H

#include "model/watch/watch.h"

enum { BUDGET_PATIENCE = 3 }; /* intervals in a row */

struct watch_budget {
	double share; /* of all CPUs that may be taken; 0: no limit */
	double cpus;
	struct watch_costs costs; /* at the present level */
	double program_seconds; /* so far: what was counted, times its cost */
	int over; /* intervals in a row that took more */
};

/*
 * What has happened between two samples is added: `seconds` passed. To be called with each sample; sets the sample's
 * own estimate.
 */
void watch_budget__add(struct watch_budget *budget, const struct watch_sample *before, struct watch_sample *now,
		       double seconds);
/* Has it been exceeded for so long that less has to be counted, and is there less? Begins to be patient again. */
bool watch_budget__is_exceeded(struct watch_budget *budget, enum watch_level level);

#endif

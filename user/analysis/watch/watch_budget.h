/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a watch takes of the machine, when it has to count less, and when it may count more again.
 */
#ifndef FORKTAX_ANALYSIS_WATCH_WATCH_BUDGET_H
#define FORKTAX_ANALYSIS_WATCH_WATCH_BUDGET_H

#include "model/watch/watch.h"

enum {
	BUDGET_PATIENCE = 3, /* intervals in a row above the budget */
	BUDGET_WAIT_MOST = 86400, /* seconds between two steps up */
};

struct watch_budget {
	double share; /* of all CPUs that may be taken; 0: no limit */
	double cpus;
	enum watch_level wanted; /* what was asked for: no step up leads beyond it */
	double up_after; /* seconds; see watch_budget__choose() */
	struct watch_costs costs[WATCH_LEVELS][WATCH_MEETINGS]; /* of the levels that were in force */
	double program_seconds; /* so far: what happened, times its cost */
	int over; /* intervals in a row that took more */
	double calm; /* seconds in a row in which half of the budget would have done for the level above */
	double wait; /* calm seconds that the next step up takes; 0: `up_after` */
	double held; /* seconds since the last step up */
	bool is_on_trial; /* that step has not lasted for `wait` yet */
	uint64_t steps_down, steps_up;
};

/*
 * What has happened between two samples is added: `seconds` passed. To be called with each sample; sets the sample's
 * own estimate.
 */
void watch_budget__add(struct watch_budget *budget, const struct watch_sample *before, struct watch_sample *now,
		       double seconds);
/*
 * The level to count at from now on. One step down once the budget has been exceeded for BUDGET_PATIENCE intervals. One
 * step up, to no more than was asked for, once half of the budget would have done for `up_after` seconds. What the
 * level above would count and this one does not is not known: so a step up may turn out to be wrong. After such a one
 * the next takes twice as long to come, up to a day; after one that lasted as long, `up_after` again.
 */
enum watch_level watch_budget__choose(struct watch_budget *budget, enum watch_level level);

#endif

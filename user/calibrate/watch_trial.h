/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long calls, page faults and forks take now: measured before a watch begins and while it counts, the difference
 * is what counting adds. A child process measures it in some milliseconds of CPU time, and is gone before this returns.
 */
#ifndef FORKTAX_CALIBRATE_WATCH_TRIAL_H
#define FORKTAX_CALIBRATE_WATCH_TRIAL_H

#include <stdbool.h>

#include "model/watch/watch.h"

struct watch_trial {
	struct watch_costs times; /* of the operations: in yardsticks, as the speed of a CPU changes */
	double yardstick_ns;
};

/* False: no child could be created, or it was ended. */
bool watch_trial__run(struct watch_trial *trial);
/* What was added, in nanoseconds; nothing is less than 0. */
struct watch_costs watch_trial__added(const struct watch_trial *before, const struct watch_trial *now);

#endif

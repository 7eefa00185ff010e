/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long calls, page faults and forks take now: measured before a watch begins and while it counts, the difference
 * is what counting adds. A child process measures it in some milliseconds of CPU time, and is gone before this returns.
 */
#ifndef FORKTAX_CALIBRATE_WATCH_TRIAL_H
#define FORKTAX_CALIBRATE_WATCH_TRIAL_H

#include <stdbool.h>

#include "model/watch/watch.h"

/* False: no child could be created, or it was ended. */
bool watch_trial__run(struct watch_costs *times);
/* What was added; nothing is less than 0. */
struct watch_costs watch_trial__added(const struct watch_costs *before, const struct watch_costs *now);

#endif

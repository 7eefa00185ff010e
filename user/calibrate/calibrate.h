/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forks and faults cost on this machine, now. A child process pinned to one CPU measures it in
 * about a second, and is gone before this returns. Each cost is the median of many small repetitions
 * with warm caches; some more are made with cold caches. Its interval reaches from the lower end of
 * the 95 % interval of the warm median to the cold median. The cost of a page, a mapping or a page
 * table includes giving it back, because the child's end is part of a fork.
 */
#ifndef FORKTAX_CALIBRATE_CALIBRATE_H
#define FORKTAX_CALIBRATE_CALIBRATE_H

#include <stdbool.h>

#include "model/anatomy/anatomy.h"

/*
 * Fills the costs that could be measured; the others stay unknown. If something went wrong on the
 * way, returns false and stores a reason (to be freed); the costs known by then are valid.
 */
bool calibrate__costs(struct estimate costs[COST_COUNT], char **reason);

#endif

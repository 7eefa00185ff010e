/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forking and faulting cost on this machine, now: measured in about a second by a process of
 * our own that is kept on one CPU, and gone before this returns. Each cost is the median of many
 * small repetitions. They follow each other closely; some are made with cold caches. The interval
 * is what lies between: it begins where the 95 % interval of the median of the former does, and ends
 * with the median of the latter. A cost that is said to be paid by a page, a mapping or a
 * table includes giving it back, because a child's end is part of a fork.
 */
#ifndef FORKTAX_CALIBRATE_CALIBRATE_H
#define FORKTAX_CALIBRATE_CALIBRATE_H

#include <stdbool.h>

#include "model/anatomy.h"

/*
 * Fills the costs that could be measured; the others are not known. Returns false and stores a
 * reason (to be freed) if something went wrong on the way; the costs known by then are good.
 */
bool calibrate__costs(struct estimate costs[COST_COUNT], char **reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads now and then how much memory the forked workers of each unit still share: of the pool that has most of them.
 */
#ifndef FORKTAX_CMD_WATCH_WATCH_POOLS_H
#define FORKTAX_CMD_WATCH_WATCH_POOLS_H

#include "source/watching.h"

/*
 * Reads the pools of the units of a sample, those with most processes first, and keeps them for the next samples. Stops
 * once it has taken so much CPU time, and then goes on with unit `next` the next time; 0: with the first. Returns the
 * CPU time, nanoseconds.
 */
double watch_pools__read(struct watching *watching, const struct watch_sample *sample, double cpu_ns, size_t *next);

#endif

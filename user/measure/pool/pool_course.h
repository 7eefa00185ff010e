/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much memory a pool has while its load runs, moment by moment, by the kernel's sums alone: that takes
 * milliseconds per GiB.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_COURSE_H
#define FORKTAX_MEASURE_POOL_POOL_COURSE_H

#include <sys/types.h>

#include "model/workers/pool_trials.h"

struct pool_course {
	struct pool_moment *list; /* owned, until it is taken */
	size_t count;
	double begin_ns; /* CLOCK_MONOTONIC */
	double step_ns, next_ns; /* how far apart moments are; when the next one is due */
};

void pool_course__begin(struct pool_course *course);
/*
 * Adds a moment if one is due. Of a long load moments are ever further apart, so that there are at most
 * a few hundred.
 */
void pool_course__look(struct pool_course *course, pid_t master);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ld.so is to load more, for a cell of `forktax bench startup`.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_PRELOAD_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_PRELOAD_H

#include "measure/loop/loops.h"
#include "measure/loop/preload.h"
#include "model/bench.h"

struct startup_wanted {
	uint64_t libraries, relocations;
	enum linkage_id linkage;
	const char *path; /* of the program */
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

/* NULL: nothing is wanted, or the cell, no longer pending, says why it cannot be had. */
struct preload *startup_preload__new(const struct startup_wanted *wanted, struct bench_cell *cell);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Libraries for ld.so to preload into a program that does not need them: copies of one file, which
 * ld.so takes for different libraries, in a directory of their own.
 */
#ifndef FORKTAX_MEASURE_STARTUP_PRELOAD_H
#define FORKTAX_MEASURE_STARTUP_PRELOAD_H

#include <stdint.h>

#include "measure/loop/loops.h"
#include "model/bench/bench.h"

struct preload;

/* NULL and a reason (to be freed) if there can be no directory for the copies. */
struct preload *preload__new(char **reason);
/* Returns 0, or -1 and stores a reason (to be freed). */
int preload__add(struct preload *preload, const char *library, uint64_t copies, char **reason);
/* "LD_PRELOAD=...": lives as long as the preload. */
const char *preload__variable(const struct preload *preload);
void preload__free(struct preload *preload); /* removes the files; NULL is fine */

/* What ld.so shall load in addition, for a cell of `forktax bench startup`. */
struct startup_wanted {
	uint64_t libraries, relocations;
	enum linkage_id linkage;
	const char *path; /* of the program */
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

/* NULL: nothing is wanted, or it failed; then the cell is no longer pending, and says why. */
struct preload *startup_preload__new(const struct startup_wanted *wanted, struct bench_cell *cell);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Libraries that the dynamic linker loads before a program that does not ask for them: copies of
 * one file, each another file for ld.so, in a directory of their own.
 */
#ifndef FORKTAX_MEASURE_STARTUP_PRELOAD_H
#define FORKTAX_MEASURE_STARTUP_PRELOAD_H

#include <stdint.h>

#include "measure/loop/loops.h"
#include "model/bench.h"

struct preload;

/* NULL and a reason (to be freed) if the copies cannot be made. Also with 0 copies. */
struct preload *preload__new(char **reason);
/* Returns 0, or -1 and stores a reason (to be freed). */
int preload__add(struct preload *preload, const char *library, uint64_t copies, char **reason);
/* "LD_PRELOAD=...": lives as long as the preload. */
const char *preload__variable(const struct preload *preload);
void preload__free(struct preload *preload); /* removes the files; NULL is fine */

/* What ld.so is to load more, for a cell of `forktax bench startup`. */
struct startup_wanted {
	uint64_t libraries, relocations;
	enum linkage_id linkage;
	const char *path; /* of the program */
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

/* NULL: nothing is wanted, or the cell, no longer pending, says why it cannot be had. */
struct preload *startup_preload__new(const struct startup_wanted *wanted, struct bench_cell *cell);

#endif

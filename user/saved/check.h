/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must hold in everything that was saved, so that reports need not ask.
 *
 * Each check returns NULL, or one line that says what is wrong (to be freed).
 */
#ifndef FORKTAX_SAVED_CHECK_H
#define FORKTAX_SAVED_CHECK_H

#include "model/baseline/baseline.h"
#include "model/bench/bench.h"
#include "model/run/run.h"
#include "model/workers/workers.h"

/*
 * Do the parts of a run add up to its totals? Every saved run is checked when it is read; the tests
 * check every run that they make.
 */
char *run__contradiction(const struct run *run);
/*
 * Its part for run->anatomy. A run that is not exact is not checked for what losses make
 * uncertain.
 */
char *anatomy__contradiction(const struct run *run);
/* Its part for run->anatomy->stacks, which may be NULL. */
char *stacks__contradiction(const struct run *run);
/* Its part for run->files. */
char *files__contradiction(const struct run *run);

/*
 * Two rows or columns of one name, a measured cell without a time above 0 for every round, values
 * of a cell that was not measured, points of an axis that do not ascend.
 */
char *bench__contradiction(const struct bench *bench);

/* Parts that exceed the whole, or sums that differ from the saved totals. */
char *workers__contradiction(const struct workers *workers);

/* Finds checks, contexts, metrics, places or files that appear twice. It must be sorted. */
char *baseline__contradiction(const struct baseline *baseline);

#endif

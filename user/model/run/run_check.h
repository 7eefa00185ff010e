/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must hold in every run that was saved, so that reports need not ask. It is checked when a run is
 * read; the tests check every run that they make.
 *
 * Each check returns NULL, or one line that says what is wrong (to be freed).
 */
#ifndef FORKTAX_MODEL_RUN_RUN_CHECK_H
#define FORKTAX_MODEL_RUN_RUN_CHECK_H

#include "model/run/run.h"

/* Do the parts of a run add up to its totals? */
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

#endif

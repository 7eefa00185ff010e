/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The part of run__contradiction() that the anatomy has.
 */
#ifndef FORKTAX_SAVED_ANATOMY_CHECK_H
#define FORKTAX_SAVED_ANATOMY_CHECK_H

#include "model/run.h"

/*
 * NULL if all of run->anatomy holds together, else one line that says what does not (to be freed).
 * What losses make uncertain is not asked of a run that is not exact.
 */
char *anatomy__contradiction(const struct run *run);

#endif

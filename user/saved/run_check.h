/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Do the books of a run balance? Asked of every saved run that is read, and by the tests of every
 * run that was made.
 */
#ifndef FORKTAX_SAVED_RUN_CHECK_H
#define FORKTAX_SAVED_RUN_CHECK_H

#include "model/run.h"

/* NULL if all holds together, else one line that says what does not (to be freed). */
char *run__contradiction(const struct run *run);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The objects that ld.so linked before the program's entry.
 */
#ifndef FORKTAX_RESOLVE_START_START_OBJECTS_H
#define FORKTAX_RESOLVE_START_START_OBJECTS_H

#include "model/run/run.h"

/* Lists the objects that were linked, as their files are now. */
void start_objects__find(struct run *run);

#endif

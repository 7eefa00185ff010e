/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page faults of a start by the objects that ld.so linked.
 */
#ifndef FORKTAX_ANALYSIS_START_OBJECT_FAULTS_H
#define FORKTAX_ANALYSIS_START_OBJECT_FAULTS_H

#include "model/run/run.h"

/* Are the faults that were recorded of the command those of its start, and of nothing else? */
bool start__knows_faults(const struct run *run);

/* On an object, .bss included; ABSENT: not known. */
struct start_object_faults {
	uint64_t faults;
	uint64_t dirtied; /* of these, faults that made a page the process's own */
};
struct start_object_faults start_object__faults(const struct run *run, const struct start_object *object);

/* Is the row of the first image, and of this object? */
bool start_object__has_row(const struct start_object *object, const struct anatomy_row *row);

#endif

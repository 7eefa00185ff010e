/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of what runs have in common. A key is the same in every run, whatever the paths; a title is what
 * people read for it (else model/names.h). All are to be freed.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_FACT_NAMES_H
#define FORKTAX_ANALYSIS_COMPARE_FACT_NAMES_H

#include "model/run.h"

/* An executable by the last part of its name; the program that was started is one in all runs. */
char *exe_key(const struct run *run, uint32_t exe);
/* Of a group, or of NO_GROUP: what was started, or attached to. */
char *group_key(const struct run *run, uint32_t group);
/* Of an object of the run's anatomy: a library is one in all its versions. */
char *object_key(const struct run *run, uint32_t object);
char *object_title(const struct run *run, uint32_t object);
char *library_key(const char *path); /* "libm.so.6" */

#endif

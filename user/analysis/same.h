/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What of one run is what of another one: executables, groups, objects. Their numbers differ from run to
 * run, and so may their paths. A key is a text that is the same in every run; code that joins two runs joins
 * by keys, or asks same_group__in(), which heeds the same keys.
 */
#ifndef FORKTAX_ANALYSIS_SAME_H
#define FORKTAX_ANALYSIS_SAME_H

#include "model/run/run.h"

/* The last part of an executable's name, borrowed; NULL: the file is gone. */
const char *exe_file_name(const struct run *run, uint32_t exe);

/* Keys, to be freed. An executable by its file name; the program that was started is one in all runs. */
char *exe_key(const struct run *run, uint32_t exe);
/* Of a group, or of NO_GROUP: what was started, or attached to. */
char *group_key(const struct run *run, uint32_t group);
/* Of an object of the run's anatomy: a library is one in all its versions. */
char *object_key(const struct run *run, uint32_t object);
char *library_key(const char *path); /* "libm.so.6" */
/* What people read for an object's key; to be freed. For the others: model/words/names.h. */
char *object_title(const struct run *run, uint32_t object);
bool same_object(const struct run *run, uint32_t object, const struct run *other, uint32_t found);

/* If another program was started, a group with no such parent there may have any. */
enum group_parents { SAME_PARENT, ANY_PARENT };

/*
 * The group of `other` with the same children as `group` of `run`, or NO_GROUP: the same key. Several may
 * have it: then it is the one of the same files, else the one with most children that is no other group of
 * `run` by its files. Where a name as executed is unknown, the file decides (exe__may_be_same()).
 */
uint32_t same_group__in(const struct run *other, const struct run *run, uint32_t group, enum group_parents parents);

#endif

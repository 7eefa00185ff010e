/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the rows of a run and those of its anatomy have in common (run_scope.c).
 */
#ifndef FORKTAX_MODEL_RUN_RUN_FIELDS_H
#define FORKTAX_MODEL_RUN_RUN_FIELDS_H

#include "model/rows/field_rows.h"
#include "model/run/run.h"

extern const struct words abi_words, actor_words, birth_words, class_words;
extern const struct field class_counts; /* a count for each class of faults */
extern const struct words relocation_words;
extern const struct field relocation_count; /* null: not known */
extern const struct shape advice_shape;

/* Limits of indexes. */
size_t run__exes(const struct scope *scope);
size_t run__groups(const struct scope *scope);
size_t run__objects(const struct scope *scope); /* of its anatomy */

/* The path that is saved beside an index. */
const void *run__exe_path(const struct run *run, uint32_t exe, union computed *computed);
#define PATH_NOTE .note = "path, for people"

#endif

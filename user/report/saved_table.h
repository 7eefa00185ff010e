/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables for programs, from the rows of what is saved (model/rows/fields.h): a column for each member,
 * called as in JSON, that is no list of anything and no map of structs. Where an index leads to a group, an executable
 * or an object, the column has its name.
 */
#ifndef FORKTAX_REPORT_SAVED_TABLE_H
#define FORKTAX_REPORT_SAVED_TABLE_H

#include "format/table.h"
#include "model/rows/fields.h"

/* The list called `key` in `self`, which has that shape and is a part of `document`. */
struct table *saved_table__of(const char *title, const void *document, const struct shape *shape,
			      const void *self, const char *key);
/* A single row: all that is in no list. */
struct table *saved_table__of_one(const char *title, const void *document, const struct shape *shape, const void *self);

/* Its parts, for a table with further columns: the shape of what is called `key`, or of the elements of that list. */
const struct shape *saved_table__shape(const struct shape *shape, const char *key);
void saved_table__add_columns(struct table *table, const struct shape *shape);
/* The same number of cells. */
void saved_table__put(struct table *table, const struct shape *shape, const void *document, const void *self);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fault records summed up: faults that are alike become one row. Internal to user/source.
 */
#ifndef FORKTAX_ANATOMY_ROWS_H
#define FORKTAX_ANATOMY_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h"
#include "model/anatomy.h"
#include "source/object_table.h"

struct row_table {
	void *tree;
	struct row_entry **entries;
	size_t count;
};

/*
 * Adds a fault of a child (or root) whose group is known. `seen` is a tree of the rows that this
 * image has been in, so that every image counts once in a row. False: the table is full.
 */
bool row_table__add(struct row_table *table, struct object_table *objects, void **seen,
		    uint32_t group, const struct fault_record *fault, uint64_t since_ns);
void row_seen__release(void **seen);

/* The rows as the model has them, in its order; `positions` are those of groups in run.groups. */
struct anatomy_row *row_table__rows(const struct row_table *table, const uint32_t *positions,
				    uint32_t group_count);
void row_table__release(struct row_table *table);

#endif

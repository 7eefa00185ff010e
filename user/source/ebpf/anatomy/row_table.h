/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fault records summed up: faults that are alike become one row. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_ROW_TABLE_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_ROW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "forktax.h"
#include "model/anatomy/anatomy.h"
#include "source/ebpf/anatomy/object_table.h"

struct row_table {
	struct hash by_key; /* struct row_entry */
	struct row_entry **entries;
	size_t count;
};

/* Where a file was when the image first wrote to a mapping of it: address less offset. */
struct first_write {
	uint64_t ino, dev, base;
};

/* What is known of an image while its faults are added. All zero: none has been added. */
struct row_image {
	struct hash seen; /* numbers of the rows that it has been in, so that it counts once in each */
	struct first_write *writes; /* one per file */
	size_t write_count;
};

/*
 * Adds a fault of a child (or root) whose group is known, to the row with this number. False: the table is
 * full, and the row one without a place.
 */
bool row_table__add(struct row_table *table, struct object_table *objects, struct row_image *image, uint32_t group,
		    const struct fault_record *fault, uint64_t since_ns, uint32_t *number);
void row_image__release(struct row_image *image);

/*
 * The rows as the model has them, in its order; `positions` are those of groups in run.groups. To be called
 * once. `order` is where each went, by its number; to be freed.
 */
struct anatomy_row *row_table__rows(struct row_table *table, const uint32_t *positions,
				    uint32_t group_count, uint32_t **order);
void row_table__release(struct row_table *table);

#endif

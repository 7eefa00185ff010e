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

/* The identity of a file as the kernel has it. */
struct object_key {
	uint64_t ino;
	uint32_t dev;
	uint32_t zero;
};

/* Files in the order of their first appearance: the numbers of run.anatomy.objects. */
struct object_table {
	void *tree;
	struct object_entry **entries;
	size_t count;
};

enum { OBJECT_USERS = 8 };

struct object_entry {
	struct object_key key;
	uint32_t number;
	/* Processes that had it mapped (the first ones, and the last), and where. */
	struct object_user {
		int32_t pid;
		uint64_t address;
	} users[OBJECT_USERS];
	uint32_t user_count;
};

/* Adds a file that has no number yet. `pid` 0: not known who had it mapped. */
uint32_t object_table__number(struct object_table *table, uint32_t dev, uint64_t ino, int32_t pid,
			      uint64_t address);
/* The number of a file that has one; NO_OBJECT. */
uint32_t object_table__find(const struct object_table *table, uint32_t dev, uint64_t ino);
void object_table__release(struct object_table *table);

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

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that faults fell into, numbered as they appear. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_OBJECT_TABLE_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_OBJECT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/anatomy/anatomy.h"

/* The identity of a file as the kernel has it. */
struct object_key {
	uint64_t ino;
	uint32_t dev;
	uint32_t zero;
};

/* Files in the order of their first appearance: the numbers of run.anatomy.objects. */
struct object_table {
	struct hash numbers; /* by key */
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
uint32_t object_table__number(struct object_table *table, uint32_t dev, uint64_t ino, int32_t pid, uint64_t address);
/* The number of a file; NO_OBJECT: it has none. */
uint32_t object_table__find(const struct object_table *table, uint32_t dev, uint64_t ino);
void object_table__release(struct object_table *table);

#endif

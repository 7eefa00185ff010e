/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was done with each file: by process while it lives, since its group is not known before its
 * end, and then by group. Bounded: beyond ENTRIES_MOST, a process or group gets one entry for all
 * other files.
 */
#ifndef FORKTAX_SOURCE_CALLS_FILE_ENTRIES_H
#define FORKTAX_SOURCE_CALLS_FILE_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/files/files.h"

enum { ENTRIES_MOST = 65536 };

struct file_entry {
	uint64_t owner; /* process or group */
	uint32_t object; /* number of a path_table */
	struct file_counts uses[FILE_USE_COUNT], by_ldso[FILE_USE_COUNT];
	uint64_t openers, opened_ns; /* as in struct file_row */
	struct file_error *errors;
	size_t error_count;
	struct file_entry *sibling; /* of the same owner */
};

struct file_entries {
	struct hash by_key; /* by owner and object */
};

static inline uint64_t owner_of_process(uint64_t process)
{
	return process << 1 | 1;
}

static inline uint64_t owner_of_group(uint32_t group)
{
	return (uint64_t)group << 1;
}

/* The entry of that owner, created in front of its list if it is new. */
struct file_entry *file_entries__get(struct file_entries *entries, struct file_entry **list,
				     uint64_t owner, uint32_t object);
void file_entry__add_error(struct file_entry *entry, int32_t number, uint64_t calls);
/* Moves a list to another owner, whose list it joins. */
void file_entries__move(struct file_entries *entries, struct file_entry **list,
			struct file_entry **to_list, uint64_t to);
void file_entries__release(struct file_entries *entries);

#endif

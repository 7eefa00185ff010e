/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What calls deal with, each path once, by number. Bounded: when it is full, everything new is
 * OBJECT_OTHERS.
 */
#ifndef FORKTAX_SOURCE_CALLS_PATH_TABLE_H
#define FORKTAX_SOURCE_CALLS_PATH_TABLE_H

#include <stdint.h>

#include "base/hash.h"
#include "model/files/files.h"

enum { OBJECT_UNKNOWN, OBJECT_OTHERS, OBJECT_UNREADABLE, OBJECTS_FIRST };

enum {
	PATHS_MOST = 65536,
	PATH_BYTES_MOST = 16 << 20, /* of all paths together */
};

struct path_entry {
	char *text;
	enum file_kind kind;
};

struct path_table {
	struct path_entry *entries; /* by number */
	size_t count;
	size_t bytes;
	struct hash numbers[FILE_KIND_COUNT]; /* by text */
};

struct path_table *path_table__new(void);
void path_table__free(struct path_table *table);

/* The number of a path, or of the number of a descriptor whose path is not known. `text` is copied. */
uint32_t path_table__number(struct path_table *table, enum file_kind kind, const char *text);
/* NULL: it has none. */
const char *path_table__text(const struct path_table *table, uint32_t object);
enum file_kind path_table__kind(const struct path_table *table, uint32_t object);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the descriptors of a process lead to, as numbers of a path_table. Processes may share a table
 * (CLONE_FILES).
 */
#ifndef FORKTAX_SOURCE_CALLS_DESCRIPTORS_H
#define FORKTAX_SOURCE_CALLS_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

enum { DESCRIPTORS_MOST = 65536 }; /* of a table; those beyond are not followed */

struct descriptors;

struct descriptors *descriptors__new(void);
struct descriptors *descriptors__share(struct descriptors *table);
struct descriptors *descriptors__copy(const struct descriptors *table);
void descriptors__drop(struct descriptors *table); /* by one who shared it; NULL is fine */

/* OBJECT_UNKNOWN if nothing was set. */
uint32_t descriptors__get(const struct descriptors *table, int32_t descriptor);
void descriptors__set(struct descriptors *table, int32_t descriptor, uint32_t object, bool cloexec);
void descriptors__set_cloexec(struct descriptors *table, int32_t descriptor, bool cloexec);
/* Closes, or marks to be closed by the next execve, all from `first` to `last`. */
void descriptors__close_range(struct descriptors *table, uint32_t first, uint32_t last,
			      bool only_mark);
/* The table after an execve, which drops the given one. */
struct descriptors *descriptors__exec(struct descriptors *table);

#endif

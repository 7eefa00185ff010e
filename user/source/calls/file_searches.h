/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Searches: failed tries of paths with the same last part, one after the other. Like file_entries, they
 * are kept by process while it lives, then by group. Beyond SEARCHES_MOST they are only counted.
 */
#ifndef FORKTAX_SOURCE_CALLS_FILE_SEARCHES_H
#define FORKTAX_SOURCE_CALLS_FILE_SEARCHES_H

#include <stddef.h>
#include <stdint.h>

#include "source/calls/path_table.h"
#include "source/calls/stream_process.h"

enum { SEARCHES_MOST = 4096 };

struct search_entry {
	uint32_t first; /* path that was tried first */
	uint32_t found; /* path; 0: nowhere */
	enum actor actor;
	uint64_t failures, times;
	struct search_entry *sibling;
};

struct file_searches {
	const struct path_table *paths;
	size_t count;
	uint64_t left_out;
};

/* A call for a path has ended with this error (0: none). */
void file_searches__tried(struct file_searches *searches, struct stream_process *process,
			  enum actor actor, uint32_t path, int error);
/* The process looks for nothing any more. */
void file_searches__end(struct file_searches *searches, struct stream_process *process);
/* Moves a list to another one. */
void file_searches__move(struct file_searches *searches, struct search_entry **list, struct search_entry **to);
void file_searches__release(struct search_entry **list);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What file_log.c gathers, and file_log_finish.c turns into the model.
 */
#ifndef FORKTAX_SOURCE_CALLS_FILE_LOG_STATE_H
#define FORKTAX_SOURCE_CALLS_FILE_LOG_STATE_H

#include "source/calls/file_entries.h"
#include "source/calls/file_searches.h"
#include "source/calls/path_table.h"

/* What ended processes of a group did. */
struct group_files {
	struct file_entry *files;
	struct search_entry *searches;
};

/* What an ended process did, if it has rows of its own. */
struct process_files {
	uint64_t process;
	uint32_t group; /* by number */
	struct file_entry *files;
};

struct file_log {
	struct path_table *paths;
	struct file_entries entries;
	struct file_searches searches;
	struct group_files *groups; /* by number */
	size_t group_count;
	bool by_process; /* processes keep rows of their own ... */
	struct process_files *processes;
	size_t process_count, kept; /* ... so many rows */
	uint64_t processes_left_out;
	bool actors_unknown;
};

#endif

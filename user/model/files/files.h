/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which files a run dealt with: what was searched for, opened, read, written, mapped and executed, by
 * path. Made from single calls (source/calls/), so beside the counts of struct run: `missed` says how
 * many of its calls are not in here.
 *
 * A path is what the process gave; a relative one is put behind the path of the directory that it
 * begins at, where that is known, and ".." at its front takes the last part off that path. Links are
 * not resolved, and a file keeps the path that it was opened by. In another mount namespace, or after chroot, paths
 * mean what they mean there.
 */
#ifndef FORKTAX_MODEL_FILES_FILES_H
#define FORKTAX_MODEL_FILES_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/files/waits.h"
#include "model/words/dictionary.h"

enum file_use {
	FILE_LOOKED_AT, /* stat, access, readlink, ...; by path or descriptor */
	FILE_OPENED,
	FILE_READ, /* directories, too */
	FILE_WRITTEN,
	FILE_MAPPED,
	FILE_EXECUTED,
	FILE_CHANGED, /* created, renamed, deleted, or its owner, mode, size, ... */
	FILE_USE_COUNT
};

extern const char *const file_use_keys[FILE_USE_COUNT]; /* "looked_at", ... */

enum file_kind {
	FILE_NAMED,
	FILE_DESCRIPTOR, /* what a descriptor leads to is not known; `path` is its number */
	FILE_UNREADABLE, /* the path could not be read: EFAULT, or the kernel refused */
	FILE_OTHERS, /* all those for which there was no room */
	FILE_KIND_COUNT
};

extern const char *const file_kind_keys[FILE_KIND_COUNT];

struct file_counts { /* of uint64_t alone */
	uint64_t calls;
	uint64_t errors; /* of these */
	uint64_t bytes; /* read, written or mapped; else 0 */
};

struct file_error {
	int32_t number; /* errno */
	uint64_t calls;
};

struct file_row {
	char *path; /* NULL unless of kind FILE_NAMED or FILE_DESCRIPTOR */
	enum file_kind kind;
	uint32_t group; /* index into run.groups; NO_GROUP for roots */
	uint64_t process; /* id; 0: all of the group, but for those with rows of their own */
	struct file_counts uses[FILE_USE_COUNT];
	struct file_counts by_ldso[FILE_USE_COUNT]; /* the part of the dynamic linker */
	/*
	 * How many processes have opened it, and when each did so first: sum of the times since its first call for a
	 * file, ns. Not saved. 0: not known.
	 */
	uint64_t openers, opened_ns;
	struct file_error *errors; /* of all uses; they add up */
	size_t error_count;
};

/*
 * A name that was searched for in one directory after the other: calls for paths that end in it, which
 * fail, and at last perhaps one that succeeds. Calls for the directories in between are no part of it.
 */
struct file_search {
	char *name;
	char *found; /* path; NULL: nowhere */
	char *first; /* the path that was tried first */
	uint32_t group;
	enum actor actor; /* ACTOR_COUNT: not known */
	uint64_t failures; /* failed tries, each counted */
	uint64_t times;
};

/*
 * Rows and searches are in the order of groups (roots last), then the most calls or failures first. If
 * run.all_processes is set, rows are of single processes, within a group by id.
 */
struct files {
	struct file_row *rows;
	size_t row_count;
	struct file_search *searches;
	size_t search_count;
	uint64_t missed; /* calls that could not be recorded */
	uint64_t paths_left_out; /* calls for paths that are in rows of kind FILE_OTHERS */
	uint64_t searches_left_out; /* searches beyond the number that is kept */
	uint64_t processes_left_out; /* whose rows there was no room for: they are in those of their group */
	bool by_actor; /* the part of the dynamic linker is known */
	struct wait *waits; /* in the order of their ends; not saved; NULL: there are none, or nobody asked for them */
	size_t wait_count;
};

void file_counts__add(struct file_counts *sum, const struct file_counts *more);
/* Is no count of the part more than that of the whole? */
bool file_counts__are_part(const struct file_counts *part, const struct file_counts *whole);
/* So many more calls that failed so; the list grows if the error is new in it. */
void file_errors__add(struct file_error **errors, size_t *count, int32_t number, uint64_t calls);
uint64_t file_row__calls(const struct file_row *row);
uint64_t file_row__errors(const struct file_row *row);
/* Calls of this use over all rows. */
uint64_t files__calls(const struct files *files, enum file_use use);

#endif

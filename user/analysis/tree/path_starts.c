// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/tree/path_starts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool is_in(const char *path, const char *directory)
{
	const size_t length = strlen(directory);

	return path && !strncmp(path, directory, length) && path[length] == '/' && !strchr(path + length + 1, '/');
}

/* One for its path, whatever file that was. */
static void miss(struct path_trial *trial, const char *path, uint64_t starts)
{
	for (size_t i = 0; i < trial->missed_count; i++)
		if (!strcmp(trial->missed[i].path, path)) {
			trial->missed[i].starts += starts;
			return;
		}
	trial->missed = checked_grow(trial->missed, trial->missed_count, sizeof(*trial->missed));
	trial->missed[trial->missed_count++] = (struct missed_program){ .path = checked_strdup(path),
									.starts = starts };
}

static int by_starts(const void *left, const void *right)
{
	const struct missed_program *a = left, *b = right;

	return a->starts != b->starts ? (a->starts < b->starts) - (a->starts > b->starts) : strcmp(a->path, b->path);
}

void path_starts__count(const struct run *run, struct path_trial *trial)
{
	const struct image *first = run__first_image(run);
	bool is_own = first; /* the command's start is still to be left out */

	for (size_t i = 0; i < run->tree_times->count; i++) {
		const struct tree_row *row = &run->tree_times->rows[i];
		const char *path = row->exe == NO_EXE ? NULL : run->exes[row->exe].path;
		uint64_t starts = row->executed ? row->images : 0;

		if (is_own && starts && row->exe == first->exe) {
			starts--;
			is_own = false;
		}
		trial->starts += starts;
		if (is_in(path, trial->directory))
			trial->taken += starts;
		else if (starts)
			miss(trial, path ? path : "(unknown program)", starts);
	}
	if (trial->missed_count)
		qsort(trial->missed, trial->missed_count, sizeof(*trial->missed), by_starts);
}

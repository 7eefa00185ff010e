// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "analysis/check/run_metrics.h"
#include "base/memory.h"
#include "base/unite.h"

static struct baseline_file file_of(const struct check_names *names, const struct file_row *row)
{
	struct baseline_file file = {
		.of = checked_strdup(check_names__group(names, row->group)),
		.path = check_names__path(names, row->path),
		.occurrences = { .runs = 1 },
	};

	for (int use = 0; use < FILE_USE_COUNT; use++)
		file.calls[use] = row->uses[use].calls;
	return file;
}

/* Several groups, or pids, may be alike by name. */
static void join(void *kept, void *more)
{
	struct baseline_file *file = kept, *other = more;

	for (int use = 0; use < FILE_USE_COUNT; use++)
		file->calls[use] += other->calls[use];
	baseline_file__release(other);
}

void run_files__take(const struct check_names *names, struct baseline_context *into)
{
	const struct files *all = names->run->files;
	size_t count = 0;

	into->files = checked_calloc(all ? all->row_count : 0, sizeof(*into->files));
	for (size_t i = 0; all && i < all->row_count; i++)
		if (all->rows[i].kind == FILE_NAMED)
			into->files[count++] = file_of(names, &all->rows[i]);
	into->file_count = unite(into->files, count, sizeof(*into->files), baseline_file__compare, join);
}

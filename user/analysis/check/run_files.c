// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "analysis/check/run_metrics.h"
#include "base/memory.h"

static struct baseline_file file_of(const struct check_names *names, const struct file_row *row)
{
	struct baseline_file file = {
		.of = checked_strdup(check_names__group(names, row->group)),
		.path = check_names__path(names, row->path),
	};

	for (int use = 0; use < FILE_USE_COUNT; use++)
		file.calls[use] = row->uses[use].calls;
	return file;
}

/* Files of one name become one: several groups, or pids, may be alike by name. */
static size_t join(struct baseline_file *files, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!kept || baseline_file__compare(&files[kept - 1], &files[i]) != 0) {
			files[kept++] = files[i];
			continue;
		}
		for (int use = 0; use < FILE_USE_COUNT; use++)
			files[kept - 1].calls[use] += files[i].calls[use];
		free(files[i].of);
		free(files[i].path);
	}
	return kept;
}

struct baseline_file *run_files__of(const struct check_names *names, size_t *count)
{
	const struct files *all = names->run->files;
	struct baseline_file *files = checked_calloc(all ? all->row_count : 0, sizeof(*files));

	*count = 0;
	for (size_t i = 0; all && i < all->row_count; i++)
		if (all->rows[i].kind == FILE_NAMED)
			files[(*count)++] = file_of(names, &all->rows[i]);
	if (*count)
		qsort(files, *count, sizeof(*files), baseline_file__compare);
	*count = join(files, *count);
	return files;
}

void baseline_files__free(struct baseline_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(files[i].of);
		free(files[i].path);
	}
	free(files);
}

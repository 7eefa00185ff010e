// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/files/files.h"

#include <stdlib.h>

#include "base/memory.h"

const char *const file_use_keys[FILE_USE_COUNT] = {
	[FILE_LOOKED_AT] = "looked_at",
	[FILE_OPENED] = "opened",
	[FILE_READ] = "read",
	[FILE_WRITTEN] = "written",
	[FILE_MAPPED] = "mapped",
	[FILE_EXECUTED] = "executed",
	[FILE_CHANGED] = "changed",
};

const char *const file_kind_keys[FILE_KIND_COUNT] = {
	[FILE_NAMED] = "path",
	[FILE_DESCRIPTOR] = "descriptor",
	[FILE_UNREADABLE] = "unreadable",
	[FILE_OTHERS] = "others",
};

enum { COUNTS = sizeof(struct file_counts) / sizeof(uint64_t) };

void file_counts__add(struct file_counts *sum, const struct file_counts *more)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;

	for (size_t i = 0; i < COUNTS; i++)
		to[i] += from[i];
}

bool file_counts__are_part(const struct file_counts *part, const struct file_counts *whole)
{
	const uint64_t *some = (const uint64_t *)part, *all = (const uint64_t *)whole;
	bool are_part = true;

	for (size_t i = 0; i < COUNTS; i++)
		are_part &= some[i] <= all[i];
	return are_part;
}

void file_errors__add(struct file_error **errors, size_t *count, int32_t number, uint64_t calls)
{
	for (size_t i = 0; i < *count; i++) {
		if ((*errors)[i].number == number) {
			(*errors)[i].calls += calls;
			return;
		}
	}
	/* One at a time: those of a file that was loaded have no room to spare. */
	*errors = checked(reallocarray(*errors, *count + 1, sizeof(**errors)));
	(*errors)[(*count)++] = (struct file_error){ number, calls };
}

uint64_t file_row__calls(const struct file_row *row)
{
	uint64_t sum = 0;

	for (int use = 0; use < FILE_USE_COUNT; use++)
		sum += row->uses[use].calls;
	return sum;
}

uint64_t file_row__errors(const struct file_row *row)
{
	uint64_t sum = 0;

	for (int use = 0; use < FILE_USE_COUNT; use++)
		sum += row->uses[use].errors;
	return sum;
}

uint64_t files__calls(const struct files *files, enum file_use use)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < files->row_count; i++)
		sum += files->rows[i].uses[use].calls;
	return sum;
}

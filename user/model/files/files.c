// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/files/files.h"

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

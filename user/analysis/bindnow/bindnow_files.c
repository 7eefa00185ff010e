// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_files.h"

#include <math.h>
#include <stdlib.h>

const char *const bindnow_way_keys[WAY_COUNT] = {
	[WAY_UNKNOWN] = "unknown",   [WAY_LAZY] = "lazy",	  [WAY_NOW] = "now",
	[WAY_MUSL] = "now_by_musl", [WAY_NO_SLOTS] = "no_slots", [WAY_STATIC] = "static",
	[WAY_SELF] = "self",
};

void bindnow_files__free(struct bindnow_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->files[i].path);
		free(files->files[i].reason);
	}
	free(files->files);
	free(files);
}

double bindnow_files__relocations(const struct bindnow_files *files, enum relocation_kind low,
				  enum relocation_kind high, bool lazy_only)
{
	double sum = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct bindnow_file *file = &files->files[i];

		if (!file->at_start)
			continue;
		if (file->way == WAY_UNKNOWN)
			return NAN;
		if (lazy_only && file->way != WAY_LAZY)
			continue;
		for (int kind = low; kind <= (int)high; kind++)
			sum += (double)file->relocations[kind];
	}
	return sum;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_files.h"

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

static enum bindnow_kind kind_of(const struct bindnow_file *file)
{
	return file->is_program ? LAZY_PROGRAMS : file->opened ? LAZY_OPENED : LAZY_LIBRARIES;
}

struct lazy_functions bindnow_files__lazy(const struct bindnow_files *files, enum bindnow_kind kind)
{
	struct lazy_functions lazy = { .functions = 0 };

	for (size_t i = 0; i < files->count; i++) {
		const struct bindnow_file *file = &files->files[i];

		if (file->way != WAY_LAZY || kind_of(file) != kind)
			continue;
		lazy.functions += file->functions;
		lazy.files++;
		lazy.path = file->path;
	}
	return lazy;
}

uint64_t bindnow_files__functions(const struct bindnow_files *files)
{
	uint64_t functions = 0;

	for (int kind = 0; kind < LAZY_KIND_COUNT; kind++)
		functions += bindnow_files__lazy(files, kind).functions;
	return functions;
}

bool bindnow_files__are_known(const struct bindnow_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->files[i].at_start && files->files[i].way == WAY_UNKNOWN)
			return false;
	return !files->left_out;
}

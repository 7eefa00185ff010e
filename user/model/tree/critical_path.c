// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tree/critical_path.h"

#include "base/text.h"

const char *const path_part_keys[PATH_PARTS] = {
	[PATH_PART_CPU] = "cpu",
	[PATH_PART_READY] = "ready",
	[PATH_PART_DEVICE] = "device",
	[PATH_PART_OTHERS] = "others",
	[PATH_PART_UNKNOWN] = "unknown",
};

const char *const path_link_keys[PATH_LINKS] = {
	[PATH_LINK_BEGIN] = "begin",
	[PATH_LINK_EXEC] = "exec",
	[PATH_LINK_BIRTH] = "birth",
	[PATH_LINK_WAKE] = "wake",
};

bool path_line__is(const struct path_line *line, const struct script_line *other)
{
	return line->line == other->line && !text__compare(line->file, other->file);
}

uint64_t path__sum(const uint64_t ns[PATH_PARTS])
{
	uint64_t sum = 0;

	for (int part = 0; part < PATH_PARTS; part++)
		sum += ns[part];
	return sum;
}

uint64_t path__asleep(const uint64_t ns[PATH_PARTS])
{
	return ns[PATH_PART_DEVICE] + ns[PATH_PART_OTHERS] + ns[PATH_PART_UNKNOWN];
}

uint64_t critical_path__part(const struct critical_path *path, enum path_part part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < path->program_count; i++)
		sum += path->programs[i].ns[part];
	return sum;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "model/run/run.h"

const char *exe__file(const struct exe *exe)
{
	return exe->resolved ? exe->resolved : exe->path;
}

static bool names_nothing(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/fd/", 8);
}

const char *exe__name(const struct exe *exe)
{
	return exe->path && names_nothing(exe->path) ? exe__file(exe) : exe->path;
}

static bool is_same_file(const struct exe *exe, const struct exe *other)
{
	return !strcmp(exe__file(exe), exe__file(other)) ||
	       (exe->ino && exe->ino == other->ino && exe->dev == other->dev);
}

/*
 * A file may have several paths (/bin and /usr/bin) and several names (sh and busybox), and may be
 * replaced. For a short-lived process, only the path as executed may be known.
 */
bool exe__is_same(const struct exe *exe, const struct exe *other)
{
	bool both_resolved = exe->resolved && other->resolved;

	if (!exe->path || !other->path)
		return exe->path == other->path;
	if (strcmp(text__file_name(exe__name(exe)), text__file_name(exe__name(other))) != 0)
		return false;
	if (!both_resolved && !strcmp(exe->path, other->path))
		return true;
	return is_same_file(exe, other);
}

bool exe__may_be_same(const struct exe *exe, const struct exe *other)
{
	if (exe__is_same(exe, other))
		return true;
	return exe->path && other->path && !(exe->resolved && other->resolved) &&
	       !strcmp(exe__file(exe), exe__file(other));
}

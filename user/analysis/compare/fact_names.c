// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/fact_names.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* In keys it stands for the program that was started: no path begins so. */
#define PROGRAM "\001"

static const char *exe_file_name(const struct run *run, uint32_t exe)
{
	const char *name = exe < run->exe_count ? exe__name(&run->exes[exe]) : NULL;

	return name ? text__file_name(name) : "?";
}

static const char *own_key(const struct run *run, uint32_t exe)
{
	if (exe == NO_EXE)
		return "";
	return exe < run->exe_count && &run->exes[exe] == run__first_exe(run)
		       ? PROGRAM
		       : exe_file_name(run, exe);
}

char *exe_key(const struct run *run, uint32_t exe)
{
	return checked_strdup(own_key(run, exe));
}

char *group_key(const struct run *run, uint32_t index)
{
	const struct group *group;

	if (index >= run->group_count)
		return checked_strdup("");
	group = &run->groups[index];
	return text__of("%s, %s, %s", own_key(run, group->parent_exe),
			birth_counters[group->birth].key, own_key(run, group->exec_target));
}

static bool object_is_program(const struct run *run, uint32_t index)
{
	const struct exe *exe = run__first_exe(run);
	const struct object *object = &run->anatomy->objects[index];

	if (!exe || !object->path)
		return false;
	if (exe->ino && object->ino)
		return exe->ino == object->ino && exe->dev == object->dev;
	return exe->path && !strcmp(exe__file(exe), object->path);
}

/* "libm.so.6.1" is libm.so.6: what comes behind the first number says how new it is. */
char *library_key(const char *path)
{
	const char *name = text__file_name(path), *version = strstr(name, ".so.");
	size_t length = strlen(name);

	if (version)
		length = version + 4 + strcspn(version + 4, ".") - name;
	return text__of("%.*s", (int)length, name);
}

static bool has_path(const struct run *run, uint32_t index)
{
	return index < run->anatomy->object_count && run->anatomy->objects[index].path;
}

char *object_key(const struct run *run, uint32_t index)
{
	if (!has_path(run, index))
		return checked_strdup("?");
	if (object_is_program(run, index))
		return checked_strdup(PROGRAM);
	return library_key(run->anatomy->objects[index].path);
}

char *object_title(const struct run *run, uint32_t index)
{
	return checked_strdup(has_path(run, index)
				      ? text__file_name(run->anatomy->objects[index].path)
				      : "?");
}

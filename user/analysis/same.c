// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/same.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

/* In keys it stands for the program that was started: no path begins so. */
#define PROGRAM "\001"

const char *exe_file_name(const struct run *run, uint32_t exe)
{
	const char *name = exe < run->exe_count ? exe__name(&run->exes[exe]) : NULL;

	return name ? text__file_name(name) : NULL;
}

static bool is_program(const struct run *run, uint32_t exe)
{
	return exe < run->exe_count && &run->exes[exe] == run__first_exe(run);
}

static const char *own_key(const struct run *run, uint32_t exe)
{
	const char *name = exe_file_name(run, exe);

	if (exe == NO_EXE)
		return "";
	return is_program(run, exe) ? PROGRAM : name ? name : "?";
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
	return checked_strdup(has_path(run, index) ? text__file_name(run->anatomy->objects[index].path) : "?");
}

bool same_object(const struct run *run, uint32_t object, const struct run *other, uint32_t found)
{
	autofree char *key = object_key(run, object), *wanted = object_key(other, found);

	return !strcmp(key, wanted);
}

enum likeness { UNLIKE, MAY_BE_SAME, SAME_KEY, SAME_FILE };

static enum likeness exe_likeness(const struct run *run, uint32_t exe, const struct run *other, uint32_t found)
{
	if (exe == NO_EXE || found == NO_EXE)
		return exe == found ? SAME_FILE : UNLIKE;
	if (strcmp(own_key(run, exe), own_key(other, found)) != 0)
		return exe__may_be_same(&run->exes[exe], &other->exes[found]) ? MAY_BE_SAME : UNLIKE;
	return is_program(run, exe) || exe__is_same(&run->exes[exe], &other->exes[found]) ? SAME_FILE : SAME_KEY;
}

static enum likeness group_likeness(const struct run *run, uint32_t group, const struct run *other,
				    uint32_t found, enum group_parents parents)
{
	const struct group *a = &run->groups[group], *b = &other->groups[found];
	enum likeness parent = exe_likeness(run, a->parent_exe, other, b->parent_exe);
	enum likeness target = exe_likeness(run, a->exec_target, other, b->exec_target);

	if (a->birth != b->birth)
		return UNLIKE;
	if (parents == ANY_PARENT && parent == UNLIKE)
		parent = MAY_BE_SAME;
	return parent < target ? parent : target;
}

/* Does one of its groups have the very files of this group of another run? */
static bool has_files_of(const struct run *run, const struct run *other, uint32_t found)
{
	for (uint32_t i = 0; i < run->group_count; i++)
		if (group_likeness(run, i, other, found, SAME_PARENT) == SAME_FILE)
			return true;
	return false;
}

/* Groups are sorted by children: the first one of those most alike has most. */
uint32_t same_group__in(const struct run *other, const struct run *run, uint32_t group, enum group_parents parents)
{
	enum likeness best = UNLIKE;
	uint32_t found = NO_GROUP;

	for (uint32_t i = 0; group < run->group_count && i < other->group_count; i++) {
		enum likeness own = group_likeness(run, group, other, i, parents);

		if (own > best && (own == SAME_FILE || !has_files_of(run, other, i))) {
			best = own;
			found = i;
		}
	}
	return found;
}

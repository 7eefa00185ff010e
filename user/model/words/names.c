// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/words/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"

static const char *exe_name(const void *exes, size_t index)
{
	return exe__name(&((const struct exe *)exes)[index]);
}

char *names__exe(const struct run *run, uint32_t exe, bool full)
{
	const char *name, *file;
	bool link;

	if (exe >= run->exe_count || !run->exes[exe].path)
		return text__of("?");
	if (full)
		return text__of("%s", run->exes[exe].path);
	name = exe__name(&run->exes[exe]);
	file = text__file_name(exe__file(&run->exes[exe]));
	link = strcmp(text__file_name(name), file) != 0;
	name = text__short_path(name, run->exes, run->exe_count, exe_name);
	return link ? text__of("%s (%s)", name, file) : text__of("%s", name);
}

char *names__birth(const struct run *run, const struct group *group, bool full)
{
	char *text = group->exec_target == NO_EXE ? text__of("no exec") : names__exe(run, group->exec_target, full);

	text__replace(&text, "%s, %s", birth_counters[group->birth].key, text);
	return text;
}

char *names__group(const struct run *run, uint32_t index, bool full)
{
	const struct group *group;
	autofree char *parent = NULL, *birth = NULL;

	if (index >= run->group_count)
		return text__of(run__is_attached(run) ? "processes attached to" : "the command itself");
	group = &run->groups[index];
	parent = names__exe(run, group->parent_exe, full);
	birth = names__birth(run, group, full);
	return text__of("%s, %s", parent, birth);
}

char *names__call(const struct syscall_row *call)
{
	return abi__is_main(call->abi) ? text__of("%s", call->name)
				       : text__of("%s (%s)", call->name, abi_keys[call->abi]);
}

static const char *object_path(const void *objects, size_t index)
{
	return ((const struct object *)objects)[index].path;
}

/* The dynamic linker has a name of its own in all tables, unless there are two (32-bit). */
static bool is_only_linker(const struct anatomy *anatomy, uint32_t index)
{
	size_t linkers = 0;

	for (size_t i = 0; i < anatomy->object_count; i++) {
		const char *path = anatomy->objects[i].path;
		bool is_linker = path && !strncmp(text__file_name(path), "ld-linux", 8);

		if (i == index && !is_linker)
			return false;
		linkers += is_linker;
	}
	return linkers == 1;
}

char *names__object(const struct run *run, uint32_t index, bool full)
{
	const struct anatomy *anatomy = run->anatomy;
	const char *path = index < anatomy->object_count ? anatomy->objects[index].path : NULL;

	if (!path)
		return text__of("?");
	if (full)
		return text__of("%s", path);
	if (is_only_linker(anatomy, index))
		return text__of("%s", actor_counters[ACTOR_LDSO].header);
	return text__of("%s", text__short_path(path, anatomy->objects, anatomy->object_count, object_path));
}

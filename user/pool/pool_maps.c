// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_maps.h"

#include <string.h>

#include "base/maps.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_left_out(const struct mapping *mapping)
{
	const char *name = mapping->name;

	if (mapping->shared || begins(name, "[v") || begins(name, "[uprobes]"))
		return true;
	if (begins(name, "/anon_hugepage") || begins(name, "/dev/hugepages/"))
		return true;
	return begins(name, "/dev/") && !begins(name, "/dev/zero") && !begins(name, "/dev/shm/");
}

/* The interpreter; where it is a library, that comes behind the executable. */
static bool is_python(const char *path)
{
	const char *name = text__file_name(path);

	return begins(name, "libpython3.") || (begins(name, "python3") && !name[strspn(name, "python.0123456789")]);
}

static void note_python(struct pool_maps *maps, uint32_t before)
{
	const struct pool_vma *vma = &maps->list[maps->count - 1];

	if (!maps->python_end || before != vma->name)
		maps->python_start = vma->start;
	maps->python_end = vma->end;
}

bool pool_maps__read(struct pool_maps *maps, pid_t pid, struct texts *names)
{
	struct maps reading = { .file = procfs__open(pid, "maps") };
	struct mapping mapping;
	uint32_t python = 0; /* its last mapping's name */

	maps->count = 0;
	while (maps__next(&reading, &mapping)) {
		if (is_left_out(&mapping))
			continue;
		maps->list = checked_grow(maps->list, maps->count, sizeof(*maps->list));
		maps->list[maps->count++] = (struct pool_vma){
			.start = mapping.start,
			.end = mapping.end,
			.offset = mapping.offset,
			.inode = mapping.ino,
			.device = mapping.dev,
			.name = texts__number(names, mapping.name),
		};
		if (!is_python(mapping.name))
			continue;
		note_python(maps, python);
		python = maps->list[maps->count - 1].name;
	}
	return maps->count;
}

bool pool_vma__has_backing_of(const struct pool_vma *left, const struct pool_vma *right)
{
	if (left->inode != right->inode || left->device != right->device)
		return false;
	return !left->inode || left->offset - left->start == right->offset - right->start;
}

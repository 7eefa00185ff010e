// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/memory.h"
#include "base/procfs.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_left_out(const char *permissions, const char *name)
{
	if (permissions[3] != 'p' || begins(name, "[v") || begins(name, "[uprobes]"))
		return true;
	if (begins(name, "/anon_hugepage") || begins(name, "/dev/hugepages/"))
		return true;
	return begins(name, "/dev/") && !begins(name, "/dev/zero") && !begins(name, "/dev/shm/");
}

static bool parse(char *line, struct pool_vma *vma, struct texts *names)
{
	unsigned int major, minor;
	char permissions[5];
	int name = 0;

	*vma = (struct pool_vma){ 0 };
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &vma->start,
		   &vma->end, permissions, &vma->offset, &major, &minor, &vma->inode, &name) < 7)
		return false;
	line[strcspn(line, "\n")] = '\0';
	if (!name || is_left_out(permissions, line + name))
		return false;
	vma->device = makedev(major, minor);
	vma->name = texts__number(names, line + name);
	return vma->start < vma->end;
}

bool pool_maps__read(struct pool_maps *maps, pid_t pid, struct texts *names)
{
	FILE *file = procfs__open(pid, "maps");
	char *line = NULL;
	size_t size = 0;

	maps->count = 0;
	while (file && getline(&line, &size, file) > 0) {
		maps->list = checked_grow(maps->list, maps->count, sizeof(*maps->list));
		if (parse(line, &maps->list[maps->count], names))
			maps->count++;
	}
	free(line);
	if (file)
		fclose(file);
	return maps->count;
}

bool pool_vma__has_backing_of(const struct pool_vma *left, const struct pool_vma *right)
{
	if (left->inode != right->inode || left->device != right->device)
		return false;
	return !left->inode || left->offset - left->start == right->offset - right->start;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/memory.h"
#include "base/procfs.h"

static uint64_t hash(const char *name)
{
	uint64_t sum = 0xcbf29ce484222325; /* FNV-1a */

	for (; *name; name++)
		sum = (sum ^ (unsigned char)*name) * 0x100000001b3;
	return sum;
}

/* The slot of the name, or the free one where it belongs. */
static uint32_t *find(const struct map_names *names, const char *name)
{
	size_t slot = hash(name) & (names->slot_count - 1);

	while (names->slots[slot] && strcmp(names->list[names->slots[slot]], name))
		slot = (slot + 1) & (names->slot_count - 1);
	return &names->slots[slot];
}

static void grow(struct map_names *names)
{
	names->slot_count = names->slot_count ? 2 * names->slot_count : 256;
	free(names->slots);
	names->slots = checked_calloc(names->slot_count, sizeof(*names->slots));
	for (size_t i = 1; i < names->count; i++)
		*find(names, names->list[i]) = i;
}

uint32_t map_names__index(struct map_names *names, const char *name)
{
	uint32_t *slot;

	if (!*name)
		return 0;
	if (2 * names->count >= names->slot_count)
		grow(names);
	slot = find(names, name);
	if (*slot)
		return *slot;
	if (!names->count) {
		names->list = checked_grow(names->list, 0, sizeof(*names->list));
		names->list[names->count++] = NULL;
	}
	names->list = checked_grow(names->list, names->count, sizeof(*names->list));
	names->list[names->count] = checked_strdup(name);
	return *slot = names->count++;
}

void map_names__release(struct map_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	free(names->slots);
	*names = (struct map_names){ 0 };
}

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

static bool parse(char *line, struct pool_vma *vma, struct map_names *names)
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
	vma->name = map_names__index(names, line + name);
	return vma->start < vma->end;
}

bool pool_maps__read(struct pool_maps *maps, pid_t pid, struct map_names *names)
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

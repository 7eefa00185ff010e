// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/stacks/perf_map.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"

enum {
	SYMBOLS_MOST = 1 << 18, /* of a process */
	NAME_MOST = 1 << 12,
	ENTRY_BYTES = 128, /* of memory that a symbol takes beside its name while the map is read */
};

/* "7f00a0 1c name": false if it is something else. */
static bool parse(char *line, struct perf_map_entry *entry)
{
	char *end, *name;
	uint64_t size;

	entry->start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	size = strtoull(end, &name, 16);
	if (name == end || *name++ != ' ' || !size || entry->start + size < size)
		return false;
	if (!*name || strlen(name) > NAME_MOST)
		return false;
	entry->end = entry->start + size;
	entry->name = name;
	return true;
}

/* qsort(3) may change the order of equals: names were numbered, by their place in the file. */
struct numbered_entry {
	struct perf_map_entry entry;
	size_t number;
};

static int by_start(const void *left, const void *right)
{
	const struct numbered_entry *a = left, *b = right;

	if (a->entry.start != b->entry.start)
		return a->entry.start < b->entry.start ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static struct perf_map sorted(struct numbered_entry *list, size_t count)
{
	struct perf_map map = { checked_calloc(count, sizeof(*map.entries)), count };

	if (count)
		qsort(list, count, sizeof(*list), by_start);
	for (size_t i = 0; i < count; i++)
		map.entries[i] = list[i].entry;
	free(list);
	return map;
}

struct perf_map perf_map__parse(int fd, struct untrusted_budget *budget)
{
	struct untrusted_lines lines = untrusted_lines__of(fd, budget);
	struct numbered_entry *list = NULL;
	struct perf_map_entry entry;
	size_t count = 0, length;
	char *line;

	while ((line = untrusted_lines__next(&lines, &length))) {
		if (!parse(line, &entry))
			continue;
		budget->cut |= count == SYMBOLS_MOST;
		if (count == SYMBOLS_MOST || !untrusted_budget__take(budget, ENTRY_BYTES))
			break;
		entry.name = checked_strdup(entry.name);
		list = checked_grow(list, count, sizeof(*list));
		list[count] = (struct numbered_entry){ entry, count };
		count++;
	}
	untrusted_lines__close(&lines);
	return sorted(list, count);
}

void perf_map__release(struct perf_map *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->entries[i].name);
	free(map->entries);
	*map = (struct perf_map){ 0 };
}

/* Anybody may put files into /tmp. */
static int open_trusted(const char *path, uid_t owner)
{
	struct stat file;
	int fd = untrusted__open(path, O_NOFOLLOW, &file);

	if (fd < 0 || !file.st_uid || file.st_uid == owner)
		return fd;
	close(fd);
	return -1;
}

/* Its pid as the process itself knows it: the last of NSpid. */
static int32_t own_pid(int32_t pid)
{
	FILE *status = procfs__open(pid, "status");
	int32_t own = pid;
	autofree char *line = NULL;
	size_t room = 0;

	while (status && getline(&line, &room, status) > 0)
		if (!strncmp(line, "NSpid:", strlen("NSpid:")))
			own = atoi(strrchr(line, '\t') ? strrchr(line, '\t') : line + strlen("NSpid:"));
	if (status)
		fclose(status);
	return own;
}

static int open_map_of(int32_t pid)
{
	char *process = text__of("/proc/%d", pid), *path = NULL;
	struct stat owner;
	int fd = -1;

	if (!stat(process, &owner)) {
		path = text__of("%s/root/tmp/perf-%d.map", process, own_pid(pid));
		fd = open_trusted(path, owner.st_uid);
	}
	if (fd < 0) {
		text__replace(&path, "/tmp/perf-%d.map", pid);
		fd = open_trusted(path, geteuid());
	}
	free(path);
	free(process);
	return fd;
}

struct perf_map perf_map__read(int32_t pid, struct untrusted_budget *budget)
{
	int fd = open_map_of(pid);

	return fd < 0 ? (struct perf_map){ 0 } : perf_map__parse(fd, budget);
}

static bool begins_at_or_before(const void *entries, size_t index, const void *address)
{
	return ((const struct perf_map_entry *)entries)[index].start <= *(const uint64_t *)address;
}

const struct perf_map_entry *perf_map__find(const struct perf_map *map, uint64_t address)
{
	enum { LOOK_BACK = 64 }; /* pieces may lie in each other; what is that far back has been replaced */
	const size_t begun = bisect(map->entries, map->count, begins_at_or_before, &address);

	for (size_t i = begun; i > 0 && begun - i < LOOK_BACK; i--)
		if (address < map->entries[i - 1].end)
			return &map->entries[i - 1];
	return NULL;
}

enum { MAPS_MOST = 1024 }; /* processes: a run may have had any number */

struct read_map {
	int32_t pid;
	struct perf_map map;
};

static const struct perf_map *map_of(struct perf_maps *all, int32_t pid)
{
	for (size_t i = all->count; i-- > 0;)
		if (all->maps[i].pid == pid)
			return &all->maps[i].map;
	if (all->count == MAPS_MOST)
		return NULL;
	all->maps = checked_grow(all->maps, all->count, sizeof(*all->maps));
	all->maps[all->count] = (struct read_map){ pid, perf_map__read(pid, &all->budget) };
	return &all->maps[all->count++].map;
}

const struct perf_map_entry *perf_maps__find(struct perf_maps *all, int32_t pid, uint64_t address)
{
	const struct perf_map *map = map_of(all, pid);

	return map ? perf_map__find(map, address) : NULL;
}

void perf_maps__release(struct perf_maps *all)
{
	for (size_t i = 0; i < all->count; i++)
		perf_map__release(&all->maps[i].map);
	free(all->maps);
	*all = (struct perf_maps){ 0 };
}

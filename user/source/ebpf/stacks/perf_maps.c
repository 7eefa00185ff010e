// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/stacks/perf_maps.h"

#include <stdlib.h>

#include "base/memory.h"

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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/counts/map_walk.h"

#include <bpf/bpf.h>

void map_walk(const struct bpf_map *map, void *key, void *value, void (*visit)(void *context),
	      void *context)
{
	int fd = bpf_map__fd(map);
	void *previous = NULL;

	while (!bpf_map_get_next_key(fd, previous, key)) {
		previous = key;
		if (!bpf_map_lookup_elem(fd, key, value))
			visit(context);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SOURCE_EBPF_COUNTS_MAP_WALK_H
#define FORKTAX_SOURCE_EBPF_COUNTS_MAP_WALK_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/*
 * Visits every entry of a hash map that no program changes meanwhile. `key` and `value` are the
 * caller's, large enough for one of each; `visit` may read them until it returns.
 */
static inline void map_walk(const struct bpf_map *map, void *key, void *value,
			    void (*visit)(void *context), void *context)
{
	int fd = bpf_map__fd(map);
	void *previous = NULL;

	while (!bpf_map_get_next_key(fd, previous, key)) {
		previous = key;
		if (!bpf_map_lookup_elem(fd, key, value))
			visit(context);
	}
}

#endif

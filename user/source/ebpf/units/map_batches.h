/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads a map of the kernel half while programs add to it: many entries with each call.
 */
#ifndef FORKTAX_SOURCE_EBPF_UNITS_MAP_BATCHES_H
#define FORKTAX_SOURCE_EBPF_UNITS_MAP_BATCHES_H

#include <stddef.h>

#include "source/unit_reading.h"

struct bpf_map;

enum { MAP_BATCH = 256 };

/* `keys` and `values`: room for MAP_BATCH of them. 0 or -errno. */
int map_batches__read(const struct bpf_map *map, void *keys, size_t key_size, void *values, size_t value_size,
		      void (*add)(struct unit_reading *, const void *key, const void *value),
		      struct unit_reading *reading);

#endif

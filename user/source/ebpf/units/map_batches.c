// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/units/map_batches.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdint.h>

int map_batches__read(const struct bpf_map *map, void *keys, size_t key_size, void *values, size_t value_size,
		      void (*add)(struct unit_reading *, const void *key, const void *value),
		      struct unit_reading *reading)
{
	uint64_t batch = 0; /* the kernel's place in the map */
	void *from = NULL;
	int err;

	do {
		__u32 count = MAP_BATCH;

		err = bpf_map_lookup_batch(bpf_map__fd(map), from, &batch, keys, values, &count, NULL);
		for (__u32 i = 0; (!err || err == -ENOENT) && i < count; i++)
			add(reading, (const char *)keys + i * key_size, (const char *)values + i * value_size);
		from = &batch;
	} while (!err);
	return err == -ENOENT ? 0 : err;
}

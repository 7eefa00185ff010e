/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of code that belongs to no file. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_STACKS_PERF_MAPS_H
#define FORKTAX_SOURCE_EBPF_STACKS_PERF_MAPS_H

#include "source/ebpf/stacks/perf_map.h"

/* Said where `budget.cut` is set. */
#define PERF_MAPS_CUT "names of code without a file are missing: forktax reads 16 MiB, and 262144 names, of a " \
		      "/tmp/perf-PID.map, and 64 MiB of all of them"

/* The maps that were read, by process. All zero: none. */
struct perf_maps {
	struct read_map *maps;
	size_t count;
	struct untrusted_budget budget; /* cut: some names are missing */
};

/*
 * The piece of code at an address of process `pid`, or NULL; lives as `all` does. To be called when the
 * run is over.
 */
const struct perf_map_entry *perf_maps__find(struct perf_maps *all, int32_t pid, uint64_t address);
void perf_maps__release(struct perf_maps *all);

#endif

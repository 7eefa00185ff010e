/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of code that a process has made itself: /tmp/perf-PID.map, a line for each piece with start
 * and size (hexadecimal) and name (tools/perf/Documentation/jit-interface.txt in the kernel's sources).
 * CPython (-X perf), V8 (--perf-basic-prof), OpenJDK and others write it.
 */
#ifndef FORKTAX_SOURCE_EBPF_STACKS_PERF_MAP_H
#define FORKTAX_SOURCE_EBPF_STACKS_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/untrusted.h"

struct perf_map_entry {
	uint64_t start, end;
	char *name;
};

struct perf_map {
	struct perf_map_entry *entries; /* by start; of those that begin alike the one written last is last */
	size_t count;
};

/*
 * That of process `pid`, as forktax sees it: in the process's own root while it lives, else in forktax's.
 * Empty if there is none, or none to be trusted: it belongs to the user of the process, or to root. Writers
 * add to it meanwhile, so it is to be read when all is over. Lines that are not as they should be are left out.
 * Maps that are kept at the same time share the budget.
 */
struct perf_map perf_map__read(int32_t pid, struct untrusted_budget *budget);
/* The same of an open file; closes it. For tests, too. */
struct perf_map perf_map__parse(int fd, struct untrusted_budget *budget);
void perf_map__release(struct perf_map *map);

/* The piece of code that has this address; of several the one written last. NULL: none. */
const struct perf_map_entry *perf_map__find(const struct perf_map *map, uint64_t address);

/* Names of code that belongs to no file. Internal to user/source. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which file the code of a process is mapped from. A process inherits mappings, and may be gone before
 * anybody can read its own.
 */
#ifndef FORKTAX_SOURCE_EBPF_FLOW_CODE_MAPS_H
#define FORKTAX_SOURCE_EBPF_FLOW_CODE_MAPS_H

#include "model/workers/flow_log.h"

struct code_mapping;

/* The executable mappings of one process. All zero: not read yet. */
struct code_maps {
	struct code_mapping *list;
	size_t count;
	uint64_t read_ns; /* CLOCK_MONOTONIC; 0: never */
};

void code_maps__release(struct code_maps *maps);
/* Again; what was read before stays if the process is gone. */
void code_maps__read(struct code_maps *maps, int32_t pid);
/*
 * Fills object, offset, ino and dev of a code by the maps of process `pid`, which are read (again) if
 * they do not have the address; with pid 0 they are not. False: nothing is mapped there, or the process is gone.
 */
bool code_maps__find(struct code_maps *maps, int32_t pid, struct flow_code *code);

#endif

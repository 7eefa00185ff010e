/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SOURCE_EBPF_DRIFT_H
#define FORKTAX_SOURCE_EBPF_DRIFT_H

#include <stdbool.h>

#include "source/ebpf/kernel_types.h"

/* How the running kernel differs from others, as its BTF tells; bpf/drift.h says what follows. */
struct drift {
	bool preemptible; /* tracepoint programs can be preempted: BTF names a type that came with it */
	bool tells_extents; /* it has tracepoint mm_filemap_map_pages */
	bool tells_locks; /* it has tracepoint mmap_lock_released */
};

/* All false if the BTF could not be read. */
struct drift drift__look(const struct kernel_types *types);

#endif

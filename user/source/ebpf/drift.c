// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/drift.h"

struct drift drift__look(const struct kernel_types *types)
{
	struct drift drift = {
		.preemptible = kernel_types__know(types, "class_srcu_fast_notrace_t"),
		.tells_locks = kernel_types__know(types, "btf_trace_mmap_lock_released"),
		.tells_extents = kernel_types__know(types, "btf_trace_mm_filemap_map_pages"),
	};

	return drift;
}

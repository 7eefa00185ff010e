/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads the kernel half, adapted to what the running kernel says of itself. Internal to
 * user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_LOAD_H
#define FORKTAX_SOURCE_EBPF_LOAD_H

#include <stdbool.h>

struct forktax_bpf;

/* How the running kernel differs from others, by its BTF; bpf/drift.h has the consequences. */
struct drift {
	bool preemptible; /* tracepoint programs can be preempted: BTF names a type that came with it */
	bool tells_extents; /* it has tracepoint mm_filemap_map_pages */
	bool tells_locks; /* it has tracepoints mmap_lock_released and mmap_lock_start_locking */
	/* sched_process_exit comes after exit_mm(): before Linux 6.16, which gave it a second argument. */
	bool tells_exits_late;
	bool counts_disabling; /* preempt_count has also how often interrupts are disabled: a variable came with it */
};

/* Chooses programs and sets constants; called before each attempt to load. */
typedef void load__configure(struct forktax_bpf *skeleton, const void *context,
			     const struct drift *drift, bool may_probe);

/* Returns 0 and the skeleton, to be destroyed, or -errno and NULL. */
int load__skeleton(struct forktax_bpf **skeleton, load__configure *configure, const void *context);

#endif

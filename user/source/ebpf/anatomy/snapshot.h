/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The layout of a process that forks. /proc tells it at the moment of asking: the mappings, the
 * state of their pages, and what the dynamic linker has written. The process is not stopped, and
 * nothing in it changes: what is read is present already. If the process has ended before, its
 * layout is put together from the kernel's records of its mappings.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_SNAPSHOT_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_SNAPSHOT_H

#include <stdint.h>

#include "forktax.h"
#include "model/anatomy/anatomy.h"
#include "source/ebpf/anatomy/mapping_record.h"

struct bpf_program;

/* Numbers the object of a file in run.anatomy.objects. */
typedef uint32_t object_number(void *context, uint32_t dev, uint64_t ino, const char *path);

struct snapshot {
	struct layout layout; /* group and exe are the caller's to fill */
	uint64_t rss_bytes, vmas_anon; /* ABSENT: not known */
};

/*
 * Fills a snapshot of the process that a record names; vma_count stays 0 if it has ended, or has
 * executed something else since. `lister` is the iterator that knows which mappings have an
 * anon_vma.
 */
void snapshot__take(struct snapshot *snapshot, const struct first_fork_record *record,
		    const struct bpf_program *lister, object_number *number, void *context);

/*
 * Puts a layout together from records in the order of time (recorded_layout.c). It has the objects
 * that were mapped for execution, and what looks like their .bss: munmap(2) is not reported, so of
 * other mappings nobody knows whether they were still there. No page of it is known. `layout` is
 * empty before.
 */
void layout_recorded__make(struct layout *layout, const struct mapping_record *records, size_t count,
			   object_number *number, void *context);

#endif

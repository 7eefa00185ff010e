/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The layout of a process that was gone before anybody could look at it, from what the kernel
 * reported of its mappings when they were made.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_RECORDED_LAYOUT_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_RECORDED_LAYOUT_H

#include "source/ebpf/anatomy/object_names.h"
#include "source/ebpf/anatomy/snapshot.h"

/*
 * Puts a layout together from records in the order of time. It has the objects that were mapped for
 * execution, and what looks like their .bss: as munmap(2) is not reported, of other mappings nobody
 * knows whether they were still there. No page of it is known. `layout` is empty before.
 */
void layout_recorded__make(struct layout *layout, const struct mapping_record *records, size_t count,
			   object_number *number, void *context);

#endif

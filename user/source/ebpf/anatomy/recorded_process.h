/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recorded processes, by id, while their records come in. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_RECORDED_PROCESS_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_RECORDED_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "forktax.h"
#include "model/anatomy/anatomy.h"
#include "source/ebpf/anatomy/row_table.h"

/* Records that belong together, and the rows of those that were summed up already. */
struct batch {
	struct fault_record *faults; /* waiting for the group to be known */
	size_t count;
	struct row_image image;
};

struct got_pair {
	struct got_record *before, *after; /* NULL: never came */
};

struct recorded_process {
	uint64_t id;
	int32_t pid; /* as forktax sees it; 0: not known */
	uint32_t group; /* GROUP_UNKNOWN until its first image has ended */
	uint64_t birth_ns; /* begin of its first image; 0 until that has ended */
	uint64_t received; /* faults of the current image */
	uint64_t received_parent; /* of these, those that belong to a child of its own */
	uint64_t beyond, beyond_parent; /* of all these, those that are only counted */
	uint64_t beyond_after; /* in its parent, because of it */
	bool is_sampled; /* its first image has ended: it counts in the sample of its group */
	/* From the record of its fork; parent is 0 until that has come. */
	uint64_t parent, forked, execed;
	struct batch own, next, after; /* current image; the one being built; in its parent */
	struct got_pair *gots; /* owned */
	size_t got_count;
};

struct recorded_table {
	struct hash by_id;
	struct recorded_process **entries;
	size_t count;
};

/* How far a child is from the exec of what it inherited, once all records of forks have come. */
enum generation recorded_process__generation(const struct recorded_table *table,
				     const struct recorded_process *recorded);

/* Never NULL: a process that is not known yet is added. */
struct recorded_process *recorded_table__get(struct recorded_table *table, uint64_t id);
void recorded_table__release(struct recorded_table *table);

void batch__add(struct batch *batch, const struct fault_record *fault);
void batch__release(struct batch *batch);

/* Keeps a page's contents; those of a page seen before replace the old ones. */
void recorded_process__keep_got(struct recorded_process *recorded, const struct got_record *record);
void recorded_process__drop_gots(struct recorded_process *recorded);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which pages of an object ld.so made its own, by the recorded faults.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_GOT_PAGES_H
#define FORKTAX_ANALYSIS_BINDINGS_GOT_PAGES_H

#include "analysis/bindings/got_file.h"
#include "model/run.h"

/* Rows of one object in which ld.so wrote; borrowed from the anatomy. */
struct ldso_writes {
	const struct anatomy_row **rows;
	uint64_t *pages; /* of each row: numbers of pages of memory, as the file states addresses */
	size_t count;
};

void ldso_writes__collect(struct ldso_writes *writes, const struct anatomy *anatomy,
			  uint32_t object, const struct linked_file *file);
void ldso_writes__release(struct ldso_writes *writes);

/* Distinct pages written while the layout's executable started; ABSENT if that is not recorded. */
uint64_t ldso_writes__startup(const struct ldso_writes *writes, const struct run *run,
			      const struct layout *layout);

/* Distinct pages copied in children of a group; ABSENT if none was recorded. */
uint64_t ldso_writes__in_children(const struct ldso_writes *writes, const struct run *run,
				  uint32_t group);

#endif

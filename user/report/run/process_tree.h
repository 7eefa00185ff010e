/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processes of a run in the order of a tree: each below the one that created it, siblings by
 * birth.
 */
#ifndef FORKTAX_REPORT_RUN_PROCESS_TREE_H
#define FORKTAX_REPORT_RUN_PROCESS_TREE_H

#include "model/run.h"

#define NO_PLACE SIZE_MAX

struct process_place {
	size_t process; /* index into run->processes */
	size_t parent; /* index of an earlier place; NO_PLACE: a root */
};

/* All processes, depth first; to be freed. */
struct process_place *process_tree__of(const struct run *run, size_t *count);

#endif

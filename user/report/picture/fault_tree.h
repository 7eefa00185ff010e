/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The recorded faults of a run as a tree of names, for pictures whose width is a sum: group and phase,
 * class, object, section, symbol, the code that faulted and, where call stacks were taken, its callers.
 */
#ifndef FORKTAX_REPORT_PICTURE_FAULT_TREE_H
#define FORKTAX_REPORT_PICTURE_FAULT_TREE_H

#include "model/run/run.h"

enum fault_weight { WEIGHT_FAULTS, WEIGHT_COPIES, WEIGHT_NS, FAULT_WEIGHT_COUNT };

struct fault_node {
	char *name; /* owned; what outsiders have named is in it as it is */
	enum fault_class class; /* of all its faults; FAULT_COUNT: of several */
	/* Its own children's weights sum to these. Copies: COW and file copies. */
	double weights[FAULT_WEIGHT_COUNT];
	struct fault_node *children; /* by occurrence */
	size_t child_count;
};

/* The root stands for all; to be freed by fault_tree__free(). */
struct fault_node *fault_tree__of(const struct run *run);
/* How many levels it has, the root's included. */
size_t fault_tree__depth(const struct fault_node *root);
void fault_tree__free(struct fault_node *root);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The faults of a group and phase by their call stacks.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_STACK_SUMS_H
#define FORKTAX_ANALYSIS_FORKS_STACK_SUMS_H

#include "model/stacks/stacks.h"

/* Over all recorded children. */
struct stack_sum {
	uint32_t stack; /* index into stacks.list */
	double faults, copies; /* copies: COW and file copies */
	double ns; /* untimed faults count with the mean of their row; 0: not known */
};

struct stack_sums {
	struct stack_sum *list; /* most time first, else most faults */
	size_t count;
	struct stack_sum without; /* faults that have no stack; its `stack` means nothing */
	struct stack_sum all; /* these and those of the list together */
};

/* `anatomy->stacks` may be NULL: then the list is empty. To be freed by stack_sums__free(). */
struct stack_sums stack_sums__of(const struct anatomy *anatomy, uint32_t group, enum phase phase);
void stack_sums__free(struct stack_sums *sums);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/stack_sums.h"

#include <stdlib.h>

#include "base/memory.h"

static void add(struct stack_sum *sum, const struct anatomy_row *row, double faults, double ns)
{
	sum->faults += faults;
	sum->copies += fault_class__copies(row->class) ? faults : 0;
	sum->ns += ns;
}

static int by_weight(const void *left, const void *right)
{
	const struct stack_sum *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->faults != b->faults)
		return a->faults > b->faults ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

static void add_shares(struct stack_sums *sums, const struct anatomy *anatomy, uint32_t group, enum phase phase)
{
	const struct stacks *stacks = anatomy->stacks;

	for (size_t i = 0; i < stacks->share_count; i++) {
		const struct stack_share *share = &stacks->shares[i];
		const struct anatomy_row *row = &anatomy->rows[share->row];
		const double ns = stack_share__ns(share, row);

		if (row->group != group || row->phase != phase)
			continue;
		add(&sums->list[share->stack], row, share->faults, ns);
		add(&sums->without, row, -(double)share->faults, -ns);
	}
}

/* Most stacks of a run belong to other groups. */
static void keep_used(struct stack_sums *sums)
{
	size_t kept = 0;

	for (size_t i = 0; i < sums->count; i++)
		if (sums->list[i].faults > 0)
			sums->list[kept++] = sums->list[i];
	sums->count = kept;
	if (kept)
		qsort(sums->list, kept, sizeof(*sums->list), by_weight);
}

struct stack_sums stack_sums__of(const struct anatomy *anatomy, uint32_t group, enum phase phase)
{
	struct stack_sums sums = { .count = anatomy->stacks ? anatomy->stacks->count : 0 };

	sums.list = checked_calloc(sums.count, sizeof(*sums.list));
	for (size_t i = 0; i < sums.count; i++)
		sums.list[i].stack = i;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == group && row->phase == phase)
			add(&sums.all, row, row->faults, anatomy_row__all_ns(row));
	}
	sums.without = sums.all;
	if (anatomy->stacks)
		add_shares(&sums, anatomy, group, phase);
	keep_used(&sums);
	return sums;
}

void stack_sums__free(struct stack_sums *sums)
{
	free(sums->list);
	*sums = (struct stack_sums){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_breakdowns.h"

#include <stdlib.h>

#include "base/memory.h"

enum { WORTHY_MOST = 3, WORTHY_SHARE = 10 };

double fork_breakdown__overhead_of_all(const struct fork_breakdown *breakdown)
{
	return breakdown->overhead * breakdown->forks;
}

static int by_group(const struct fork_breakdown *a, const struct fork_breakdown *b)
{
	return (a->group > b->group) - (a->group < b->group);
}

static int by_overhead(const void *left, const void *right)
{
	double a = fork_breakdown__overhead_of_all(left), b = fork_breakdown__overhead_of_all(right);

	return a != b ? (a < b) - (a > b) : by_group(left, right);
}

static int by_number(const void *left, const void *right)
{
	const struct fork_breakdown *a = left, *b = right;

	return a->forks != b->forks ? (a->forks < b->forks) - (a->forks > b->forks) : by_group(a, b);
}

static double weight_of(const struct fork_breakdowns *breakdowns, size_t i)
{
	const struct fork_breakdown *breakdown = &breakdowns->breakdowns[i];

	return breakdowns->has_overhead ? fork_breakdown__overhead_of_all(breakdown) : breakdown->forks;
}

static size_t count_worthy(const struct fork_breakdowns *breakdowns)
{
	size_t worthy = 0;
	double all = 0;

	for (size_t i = 0; i < breakdowns->count; i++)
		all += weight_of(breakdowns, i);
	while (worthy < breakdowns->count && worthy < WORTHY_MOST &&
	       WORTHY_SHARE * weight_of(breakdowns, worthy) >= all)
		worthy++;
	return worthy;
}

struct fork_breakdowns fork_breakdowns__of(const struct run *run)
{
	struct fork_breakdowns breakdowns = { .run = run };

	breakdowns.breakdowns = checked_calloc(run->group_count, sizeof(*breakdowns.breakdowns));
	for (uint32_t group = 0; group < run->group_count; group++) {
		struct fork_breakdown *breakdown = &breakdowns.breakdowns[breakdowns.count];

		if (!fork_breakdown__make(run, group, breakdown))
			continue;
		breakdowns.count++;
		breakdowns.has_overhead |= breakdown->has_overhead;
		breakdowns.overhead += fork_breakdown__overhead_of_all(breakdown);
	}
	qsort(breakdowns.breakdowns, breakdowns.count, sizeof(*breakdowns.breakdowns),
	      breakdowns.has_overhead ? by_overhead : by_number);
	breakdowns.worthy = count_worthy(&breakdowns);
	return breakdowns;
}

void fork_breakdowns__free(struct fork_breakdowns *breakdowns)
{
	free(breakdowns->breakdowns);
}

const struct fork_breakdown *fork_breakdowns__find(const struct fork_breakdowns *breakdowns, uint32_t group)
{
	for (size_t i = 0; i < breakdowns->count; i++)
		if (breakdowns->breakdowns[i].group == group)
			return &breakdowns->breakdowns[i];
	return NULL;
}

const struct fork_breakdown *fork_breakdowns__costliest(const struct fork_breakdowns *breakdowns)
{
	return breakdowns->has_overhead && breakdowns->count ? &breakdowns->breakdowns[0] : NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/copied.h"

#include <math.h>

/*
 * Up to so many, a fork finds in the caches what the last one used: for a page its struct and table
 * entries, for a mapping some structs and a table. Both come to about a megabyte.
 */
enum { CACHED_PAGES = 8192, CACHED_VMAS = 256 };
/* Page tables that every process has: those of its program, libraries and stack, and the tables above these. */
enum { FEWEST_TABLES = 8 };
/* That much is walked through for a page: its struct, and the entries of parent and child. */
enum { WALKED_BYTES = 64 + 8 + 8 };
/* Other programs, and other guests of the host, leave as little as this part of the last cache. */
static const double LEAST_SHARE = 0.25;

struct copied copied__of(const struct subject *subject, const struct layout_vma *vma)
{
	const double per_table = subject__pages_per_table(subject);
	struct vma_pages count = layout_vma__count(vma);
	double small = count.present - count.huge;
	double spans = floor((double)(vma->end - vma->start) / subject__huge_bytes(subject));

	if (!vma->anon || vma->kept_out)
		return (struct copied){ 0 };
	return (struct copied){
		.small = small,
		.huge = count.huge / per_table,
		.vmas = 1,
		/* At most: each page in a table of its own. */
		.tables = fmax(0, fmin(small, spans - count.huge / per_table) -
					  ceil(small / per_table)),
	};
}

static void add(struct copied *sum, struct copied more)
{
	sum->small += more.small;
	sum->huge += more.huge;
	sum->vmas += more.vmas;
	sum->tables += more.tables;
}

/* How pages lie in a large mapping is not read; but the kernel knows how many tables there are. */
static void limit_tables(const struct subject *subject, struct copied *copied)
{
	uint64_t bytes = subject->fork ? subject->fork->page_table_bytes.median : ABSENT;
	double others = FEWEST_TABLES + copied->huge + ceil(copied->small / subject__pages_per_table(subject));

	copied->tables = bytes == ABSENT
				 ? 0
				 : fmin(copied->tables,
					fmax(0, (double)bytes / run__page_bytes(subject->run) - others));
}

struct copied copied__all(const struct subject *subject)
{
	struct copied copied = { 0 };

	for (size_t i = 0; subject->layout && i < subject->layout->vma_count; i++)
		add(&copied, copied__of(subject, &subject->layout->vmas[i]));
	limit_tables(subject, &copied);
	return copied;
}

struct copied copied__memory(const struct subject *subject)
{
	struct copied copied = { 0 };

	for (size_t i = 0; subject->layout && i < subject->layout->vma_count; i++) {
		const struct layout_vma *vma = &subject->layout->vmas[i];

		if (!vma->shared && (vma->kind == PLACE_HEAP || vma->kind == PLACE_ANON))
			add(&copied, copied__of(subject, vma));
	}
	copied.vmas = 0;
	limit_tables(subject, &copied);
	return copied;
}

/* How many times longer than calibrated the copying in such a call took. */
static double factor(const struct subject *subject, const struct copied *all, uint64_t call_ns)
{
	const struct estimate *costs = subject->anatomy->costs;
	double whole = costs[COST_FORK_PAGE].value, call = costs[COST_FORK_CALL].value;
	double wanted = (all->small * whole + all->vmas * costs[COST_VMA].value +
			 all->tables * costs[COST_FORK_TABLE].value) *
			call / whole;

	return fmax(0, (double)call_ns - costs[COST_FORK].value) / wanted;
}

/* How much of the last cache this guest and program can have is not known: hence the interval. */
static void leave_caches(const struct subject *subject, const struct copied *all,
			 struct estimate *cost)
{
	const struct estimate *uncached = &subject->anatomy->costs[COST_FORK_UNCACHED];
	double share = all->small * WALKED_BYTES / UNCACHED_BYTES;

	if (!uncached->known || uncached->value <= cost->high)
		return;
	cost->value += (uncached->value - cost->value) * fmin(1, share);
	cost->high += (uncached->high - cost->high) * fmin(1, share / LEAST_SHARE);
}

struct estimate subject__in_parent(const struct subject *subject, enum cost cost)
{
	const struct estimate *costs = subject->anatomy->costs;
	const struct fork_cost *fork = subject->fork;
	struct copied all = copied__all(subject);
	struct estimate result = costs[cost];

	if (all.small <= CACHED_PAGES && all.vmas <= CACHED_VMAS)
		return result;
	/* Pages lie side by side, so some of the way is read ahead. */
	result.value = cost == COST_FORK_PAGE ? (result.value + result.high) / 2 : result.high;
	if (cost == COST_FORK_PAGE)
		leave_caches(subject, &all, &result);
	if (fork && fork->call.count && costs[COST_FORK_PAGE].known && costs[COST_FORK_CALL].known &&
	    costs[COST_VMA].known && costs[COST_FORK].known)
		result.high =
			fmax(result.high, costs[cost].value * factor(subject, &all, fork->call.median));
	return result;
}

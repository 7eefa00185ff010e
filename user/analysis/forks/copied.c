// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/copied.h"

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

struct copied copied__of(const struct run *run, const struct layout_vma *vma)
{
	const double per_table = copied__pages_per_table(run);
	struct vma_pages count = layout_vma__count(vma);
	double small = count.present - count.huge;
	double spans = floor((double)(vma->end - vma->start) / copied__huge_bytes(run));

	if (!vma->anon || vma->kept_out)
		return (struct copied){ 0 };
	return (struct copied){
		.small = small,
		.huge = count.huge / per_table,
		.vmas = 1,
		/* At most: each page in a table of its own. */
		.tables = fmax(0, fmin(small, spans - count.huge / per_table) - ceil(small / per_table)),
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
static void limit_tables(const struct run *run, uint32_t group, struct copied *copied)
{
	const struct fork_cost *fork = anatomy__fork_cost(run->anatomy, group);
	uint64_t bytes = fork ? fork->page_table_bytes.median : ABSENT;
	double others = FEWEST_TABLES + copied->huge + ceil(copied->small / copied__pages_per_table(run));

	copied->tables =
		bytes == ABSENT ? 0 : fmin(copied->tables, fmax(0, (double)bytes / run__page_bytes(run) - others));
}

struct copied copied__all(const struct run *run, uint32_t group)
{
	const struct layout *layout = run__parent_layout(run, group);
	struct copied copied = { 0 };

	for (size_t i = 0; layout && i < layout->vma_count; i++)
		add(&copied, copied__of(run, &layout->vmas[i]));
	limit_tables(run, group, &copied);
	return copied;
}

struct copied copied__memory(const struct run *run, uint32_t group)
{
	const struct layout *layout = run__parent_layout(run, group);
	struct copied copied = { 0 };

	for (size_t i = 0; layout && i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (!vma->shared && (vma->kind == PLACE_HEAP || vma->kind == PLACE_ANON))
			add(&copied, copied__of(run, vma));
	}
	copied.vmas = 0;
	limit_tables(run, group, &copied);
	return copied;
}

/* How many times longer than calibrated the copying in such a call took. */
static double factor(const struct estimate *costs, const struct copied *all, uint64_t call_ns)
{
	double whole = costs[COST_FORK_PAGE].value, call = costs[COST_FORK_CALL].value;
	double wanted = (all->small * whole + all->vmas * costs[COST_VMA].value +
			 all->tables * costs[COST_FORK_TABLE].value) *
			call / whole;

	return fmax(0, (double)call_ns - costs[COST_FORK].value) / wanted;
}

/* How much of the last cache this guest and program can have is not known: hence the interval. */
static void leave_caches(const struct estimate *uncached, const struct copied *all, struct estimate *cost)
{
	double share = all->small * WALKED_BYTES / UNCACHED_BYTES;

	if (!uncached->known || uncached->value <= cost->high)
		return;
	cost->value += (uncached->value - cost->value) * fmin(1, share);
	cost->high += (uncached->high - cost->high) * fmin(1, share / LEAST_SHARE);
}

static bool is_in_caches(const struct copied *all)
{
	return all->small <= CACHED_PAGES && all->vmas <= CACHED_VMAS;
}

/* By the amount that is copied. */
static struct estimate cost_of(const struct estimate *costs, const struct copied *all, enum cost cost)
{
	struct estimate result = costs[cost];

	if (is_in_caches(all))
		return result;
	/* Pages lie side by side, so some of the way is read ahead. */
	result.value = cost == COST_FORK_PAGE ? (result.value + result.high) / 2 : result.high;
	if (cost == COST_FORK_PAGE)
		leave_caches(&costs[COST_FORK_UNCACHED], all, &result);
	return result;
}

static bool knows_copying(const struct estimate *costs)
{
	return costs[COST_FORK_PAGE].known && costs[COST_FORK_CALL].known && costs[COST_VMA].known &&
	       costs[COST_FORK].known;
}

struct estimate copied__cost(const struct run *run, uint32_t group, enum cost cost)
{
	const struct estimate *costs = run->anatomy->costs;
	const struct fork_cost *fork = anatomy__fork_cost(run->anatomy, group);
	const struct copied all = copied__all(run, group);
	struct estimate result = cost_of(costs, &all, cost);

	if (!is_in_caches(&all) && fork && fork->call.count && knows_copying(costs))
		result.high = fmax(result.high, costs[cost].value * factor(costs, &all, fork->call.median));
	return result;
}

static double high(const struct estimate *cost)
{
	return cost->known ? cost->high : 0;
}

/* The mappings are those of the first fork: later page tables have room for more pages. */
static double grown_pages(const struct fork_cost *fork)
{
	const struct spread_of *tables = &fork->page_table_bytes;

	return tables->median == ABSENT || tables->min == ABSENT ?
		       0 : (double)(tables->median - tables->min) / sizeof(uint64_t);
}

double copied__longest_call(const struct run *run, uint32_t group)
{
	const struct estimate *costs = run->anatomy->costs;
	const struct fork_cost *fork = anatomy__fork_cost(run->anatomy, group);
	const struct copied all = copied__all(run, group);
	const double share = costs[COST_FORK_CALL].value / costs[COST_FORK_PAGE].value;
	double ns;

	if (!fork || fork->vmas.median == ABSENT || !knows_copying(costs) || !run__parent_layout(run, group))
		return NAN;
	ns = (all.small + grown_pages(fork)) * cost_of(costs, &all, COST_FORK_PAGE).high +
	     all.vmas * cost_of(costs, &all, COST_VMA).high + all.tables * high(&costs[COST_FORK_TABLE]) +
	     all.huge * fmax(high(&costs[COST_FORK_HUGE]), high(&costs[COST_PAGE_TABLE])) +
	     (double)fork->vmas.median * high(&costs[COST_MAPPING]);
	return (costs[COST_FORK].high + ns) * fmin(share, 1);
}

bool copied__is_beyond(const struct run *run, uint32_t group)
{
	enum { TIMES = 2 }; /* what tracing adds, and caches that others have filled */
	const struct fork_cost *fork = anatomy__fork_cost(run->anatomy, group);

	return fork && fork->call.count && (double)fork->call.min > TIMES * copied__longest_call(run, group);
}

enum copied_else copied__else(const struct run *run, uint32_t group)
{
	enum { PINNED_LEAST = 1 << 20, DESCRIPTORS_LEAST = 1000 };
	const struct fork_cost *fork = anatomy__fork_cost(run->anatomy, group);

	if (fork && fork->pinned_bytes >= PINNED_LEAST && copied__is_beyond(run, group))
		return COPIED_PINNED;
	return fork && fork->open_files >= DESCRIPTORS_LEAST ? COPIED_DESCRIPTORS : COPIED_NOTHING_ELSE;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/saving.h"

#include <math.h>

/* By default the kernel maps at most so many bytes by one fault: this is what was calibrated. */
enum { AROUND = 64 << 10 };

static const struct estimate unknown;

static struct estimate add(struct estimate sum, struct estimate more, double times)
{
	if (!sum.known || !more.known)
		return unknown;
	sum.value += more.value * times;
	sum.low += more.low * times;
	sum.high += more.high * times;
	return sum;
}

/* Between one page and all of these, in proportion to the pages that it mapped. */
static struct estimate map_cost(const struct subject *subject, const struct anatomy_row *row)
{
	const struct estimate *costs = subject->anatomy->costs;
	const double most = AROUND / (double)run__page_bytes(subject->run);
	double pages = row->around == ABSENT ? 1 : (double)row->around / (double)row->faults;
	double share = most > 1 ? fmin(fmax((pages - 1) / (most - 1), 0), 1) : 0;
	struct estimate cost = { .known = true };

	/* A kernel that maps no neighbours has nothing to be calibrated by. */
	if (share <= 0 || !costs[COST_MAP_AROUND].known)
		return costs[COST_MAP];
	return add(add(cost, costs[COST_MAP], 1 - share), costs[COST_MAP_AROUND], share);
}

static struct estimate fault_cost(const struct subject *subject, const struct anatomy_row *row)
{
	const struct estimate *costs = subject->anatomy->costs;

	switch (row->class) {
	case FAULT_COW_COPY:
		return costs[COST_COPY];
	case FAULT_COW_REUSE:
		return costs[COST_REUSE];
	case FAULT_FILE_COW:
		return costs[COST_FILE_COPY];
	case FAULT_ZERO_FILL:
		return costs[COST_FILL];
	case FAULT_ZERO_PAGE:
		return costs[COST_ZERO_PAGE];
	case FAULT_FILE_MAP:
		return map_cost(subject, row);
	default: /* never calibrated: as it was measured */
		return row->timed ? estimate__of(anatomy_row__ns(row)) : unknown;
	}
}

static void add_figure(struct saving *saving, struct estimate each, double times)
{
	if (!each.known && times > 0)
		saving->unknown = true;
	if (!each.known)
		return;
	saving->ns += times * each.value;
	saving->low += times * each.low;
	saving->high += times * each.high;
}

/* Taken by some children: not by nearly all of them, nor by hardly any. */
static bool is_of_some(const struct anatomy_row *row, uint64_t children)
{
	return 20 * row->children > children && 20 * row->children < 19 * children;
}

void saving__add(struct saving *saving, const struct subject *subject, const struct anatomy_row *row)
{
	double faults = anatomy__per_child(subject->anatomy, row);

	if (!row->faults)
		return;
	saving->all_faults += row->faults;
	if (fault_class__copies(row->class))
		saving->all_copies += row->faults;
	if (row->phase == PHASE_CHILD && is_of_some(row, subject->sample->children))
		saving->varying += faults;
	saving->faults = (double)saving->all_faults / subject__recorded(subject);
	saving->copies = (double)saving->all_copies / subject__recorded(subject);
	if (row->timed)
		saving->measured_ns += faults * anatomy_row__ns(row);
	add_figure(saving, fault_cost(subject, row), faults);
	saving__add_cost(saving, subject, COST_PAGE_TABLE, faults * (double)row->table_pages / (double)row->faults);
}

void saving__add_all(struct saving *saving, const struct subject *subject, row_fn *belongs)
{
	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && belongs(subject, row))
			saving__add(saving, subject, row);
	}
}

void saving__add_cost(struct saving *saving, const struct subject *subject, enum cost cost, double times)
{
	add_figure(saving, subject->anatomy->costs[cost], times);
}

void saving__add_smallest_fork(struct saving *saving, const struct subject *subject)
{
	const struct estimate *costs = subject->anatomy->costs;
	const double copy = costs[COST_COPY].value, reuse = costs[COST_REUSE].value;

	saving__add_cost(saving, subject, COST_FORK, 1);
	if (!costs[COST_MAP_AROUND].known || !costs[COST_COPY].known || !costs[COST_REUSE].known)
		return;
	saving__add_cost(saving, subject, COST_MAP_AROUND, -1);
	/* A copy, unless the child has ended by then. */
	saving__add_range(saving, -copy, -(copy + reuse) / 2, -reuse);
}

void saving__add_range(struct saving *saving, double low, double value, double high)
{
	struct estimate range = { .known = true, .value = value, .low = low, .high = high };

	add_figure(saving, range, 1);
}

void saving__add_copying(struct saving *saving, const struct subject *subject, const struct copied *copied)
{
	const struct estimate *costs = subject->anatomy->costs;
	const struct estimate *table = &costs[COST_FORK_TABLE];
	const struct estimate *huge = &costs[COST_FORK_HUGE]; /* else the table that comes with it */

	add_figure(saving, copied__cost(subject->run, subject->index, COST_FORK_PAGE), copied->small);
	add_figure(saving, table->known ? *table : costs[COST_PAGE_TABLE], copied->tables);
	add_figure(saving, huge->known ? *huge : costs[COST_PAGE_TABLE], copied->huge);
	add_figure(saving, copied__cost(subject->run, subject->index, COST_VMA), copied->vmas);
}

void saving__add_binding_code(struct saving *saving, const struct subject *subject)
{
	const struct estimate *symbol = &subject->anatomy->costs[COST_SYMBOL];
	double symbols = (double)subject__symbols_bound(subject);
	double traced = subject__binding_code(subject);

	if (!symbols)
		saving__add_range(saving, 0, traced, traced);
	else if (!symbol->known)
		add_figure(saving, estimate__of(traced), 1);
	else
		saving__add_range(saving, 0, symbols * symbol->value, fmax(traced, symbols * symbol->high));
}

void saving__predict(const struct saving *saving, struct advice *advice)
{
	advice->predicted_faults = estimate__of(saving->faults);
	estimate__widen(&advice->predicted_faults, fmax(saving->faults - saving->varying, 0),
			saving->faults + saving->varying + saving->beyond);
	if (saving->unknown)
		return;
	advice->predicted_ns = estimate__of(saving->ns);
	estimate__widen(&advice->predicted_ns, saving->low, saving->high);
}

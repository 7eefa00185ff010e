// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/tally.h"

#include <math.h>

#include "advice/copied.h"

/* Pages that one fault maps at most where the kernel's default is in force: what was calibrated. */
enum { AROUND = 16 };

static const struct figure unknown;

static struct figure add(struct figure sum, struct figure more, double times)
{
	if (!sum.known || !more.known)
		return unknown;
	sum.value += more.value * times;
	sum.low += more.low * times;
	sum.high += more.high * times;
	return sum;
}

/* Between one page and 16, in proportion to the pages that it mapped. */
static struct figure map_cost(const struct figure *costs, const struct anatomy_row *row)
{
	double pages = row->around == ABSENT ? 1 : (double)row->around / (double)row->faults;
	double share = fmin(fmax((pages - 1) / (AROUND - 1), 0), 1);
	struct figure cost = { .known = true };

	/* A kernel that maps no neighbours has nothing to be calibrated by. */
	if (share <= 0 || !costs[COST_MAP_AROUND].known)
		return costs[COST_MAP];
	return add(add(cost, costs[COST_MAP], 1 - share), costs[COST_MAP_AROUND], share);
}

static struct figure fault_cost(const struct figure *costs, const struct anatomy_row *row)
{
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
		return map_cost(costs, row);
	default: /* never calibrated: as it was measured */
		return row->timed ? figure__of(anatomy_row__ns(row)) : unknown;
	}
}

static void add_figure(struct tally *tally, struct figure each, double times)
{
	if (!each.known && times > 0)
		tally->unknown = true;
	if (!each.known)
		return;
	tally->ns += times * each.value;
	tally->low += times * each.low;
	tally->high += times * each.high;
}

/* Neither all children take it, nor hardly any: what others would do is open to that extent. */
static bool is_of_some(const struct anatomy_row *row, uint64_t children)
{
	return 20 * row->children > children && 20 * row->children < 19 * children;
}

void tally__add(struct tally *tally, const struct matter *matter, const struct anatomy_row *row)
{
	const struct figure *costs = matter->anatomy->costs;
	double faults = anatomy__per_child(matter->anatomy, row);

	if (!row->faults)
		return;
	tally->all_faults += row->faults;
	if (row->class == FAULT_COW_COPY || row->class == FAULT_FILE_COW)
		tally->all_copies += row->faults;
	if (row->phase == PHASE_CHILD && is_of_some(row, matter->sample->children))
		tally->varying += faults;
	tally->faults = (double)tally->all_faults / matter__recorded(matter);
	tally->copies = (double)tally->all_copies / matter__recorded(matter);
	if (row->timed)
		tally->measured_ns += faults * anatomy_row__ns(row);
	add_figure(tally, fault_cost(costs, row), faults);
	tally__add_cost(tally, matter, COST_PAGE_TABLE,
			faults * (double)row->table_pages / (double)row->faults);
}

void tally__add_all(struct tally *tally, const struct matter *matter, row_fn *belongs)
{
	for (size_t i = 0; i < matter->anatomy->row_count; i++) {
		const struct anatomy_row *row = &matter->anatomy->rows[i];

		if (row->group == matter->index && belongs(matter, row))
			tally__add(tally, matter, row);
	}
}

void tally__add_cost(struct tally *tally, const struct matter *matter, enum cost cost, double times)
{
	add_figure(tally, matter->anatomy->costs[cost], times);
}

void tally__add_ns(struct tally *tally, double ns)
{
	add_figure(tally, figure__of(ns), 1);
}

void tally__add_range(struct tally *tally, double low, double value, double high)
{
	struct figure range = { .known = true, .value = value, .low = low, .high = high };

	add_figure(tally, range, 1);
}

void tally__add_copying(struct tally *tally, const struct matter *matter,
			const struct copied *copied)
{
	const struct figure *costs = matter->anatomy->costs;
	const struct figure *huge = &costs[COST_FORK_HUGE]; /* else the table that comes with it */

	add_figure(tally, matter__in_parent(matter, &costs[COST_FORK_PAGE]), copied->small);
	add_figure(tally, huge->known ? *huge : costs[COST_PAGE_TABLE], copied->huge);
	add_figure(tally, matter__in_parent(matter, &costs[COST_VMA]), copied->vmas);
}

void tally__add_binding_code(struct tally *tally, const struct matter *matter)
{
	const struct figure *symbol = &matter->anatomy->costs[COST_SYMBOL];
	double symbols = (double)matter__symbols_bound(matter);
	double traced = matter__binding_code(matter);

	if (!symbols)
		tally__add_range(tally, 0, traced, traced);
	else if (!symbol->known)
		tally__add_ns(tally, traced);
	else
		tally__add_range(tally, 0, symbols * symbol->value,
				 fmax(traced, symbols * symbol->high));
}

void tally__predict(const struct tally *tally, struct advice *advice)
{
	advice->predicted_faults = figure__of(tally->faults);
	figure__widen(&advice->predicted_faults, tally->faults - tally->varying,
		      tally->faults + tally->varying);
	if (tally->unknown)
		return;
	advice->predicted_ns = figure__of(tally->ns);
	figure__widen(&advice->predicted_ns, tally->low, tally->high);
}

void figure__widen(struct figure *figure, double low, double high)
{
	figure->low = fmin(figure->low, low);
	figure->high = fmax(figure->high, high);
	figure->bounded = figure->low < figure->high;
}

struct figure figure__of(double value)
{
	return (struct figure){ .known = true, .value = value, .low = value, .high = value };
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/against.h"

#include "analysis/forks/same_group.h"
#include "analysis/stats.h"
#include "base/memory.h"

/* The bills of the group, from those runs of one side that have such children. */
struct bill_list {
	const struct fork_bill **bills;
	size_t count;
};

static struct bill_list find_bills(const struct against_side *side, const struct run *run,
				   uint32_t group, enum group_parents parents)
{
	struct bill_list list = { .bills = checked_calloc(side->count, sizeof(*list.bills)) };

	for (size_t i = 0; i < side->count; i++) {
		const struct fork_bills *bills = &side->runs[i];
		uint32_t index = same_group__in(bills->run, run, group, parents);
		const struct fork_bill *bill =
			index == NO_GROUP ? NULL : fork_bills__find(bills, index);

		if (bill)
			list.bills[list.count++] = bill;
	}
	return list;
}

static struct estimate median_of(const struct bill_list *list, enum bill_line line, bool of_time)
{
	double *values = checked_calloc(list->count, sizeof(*values));
	struct estimate estimate;
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct bill_entry *entry = &list->bills[i]->lines[line];

		if (!of_time || entry->known)
			values[count++] = of_time ? entry->ns : entry->faults;
	}
	estimate = stats__median_estimate(values, count);
	free(values);
	return estimate;
}

static struct estimate faults_saved(const struct bill_list lists[2])
{
	size_t counts[2] = { lists[0].count, lists[1].count };
	double *values = checked_calloc(counts[0] + counts[1], sizeof(*values));
	struct estimate estimate;

	for (size_t i = 0; i < counts[0]; i++)
		values[i] = lists[0].bills[i]->faults;
	for (size_t i = 0; i < counts[1]; i++)
		values[counts[0] + i] = lists[1].bills[i]->faults;
	/* Runs without such children have no bill, so what remains of both sides is not paired. */
	estimate = stats__difference(values, counts[0], values + counts[0], counts[1], UNPAIRED);
	free(values);
	return estimate;
}

static bool is_something(const struct estimate *figure)
{
	return figure->known && figure->value != 0;
}

static void add_line(struct against *against, const struct bill_list lists[2], enum bill_line line)
{
	struct against_row row = { 0 };
	bool shown = false;

	for (int i = 0; i < 2; i++) {
		row.faults[i] = median_of(&lists[i], line, false);
		row.ns[i] = median_of(&lists[i], line, true);
		shown |= is_something(&row.faults[i]) || is_something(&row.ns[i]);
	}
	if (!shown)
		return;
	row.line = checked_strdup(bill_line_keys[line]);
	against->rows[against->row_count++] = row;
}

struct against *against__compare(const struct run *run, uint32_t group,
				 const struct against_side sides[2])
{
	struct bill_list lists[2] = {
		find_bills(&sides[0], run, group, SAME_PARENT),
		find_bills(&sides[1], run, group, ANY_PARENT),
	};
	struct against *against = NULL;

	if (lists[0].count && lists[1].count) {
		against = against__new();
		against->group = group;
		against->rows = checked_calloc(BILL_LINE_COUNT, sizeof(*against->rows));
		for (int line = 0; line < BILL_LINE_COUNT; line++)
			add_line(against, lists, line);
		against->faults = faults_saved(lists);
	}
	free(lists[0].bills);
	free(lists[1].bills);
	return against;
}

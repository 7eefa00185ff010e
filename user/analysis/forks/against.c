// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/against.h"

#include "analysis/same.h"
#include "analysis/stats.h"
#include "base/autofree.h"
#include "base/memory.h"

/* The breakdowns of the group, from those runs of one side that have such children. */
struct breakdown_list {
	const struct fork_breakdown **breakdowns;
	size_t count;
};

static struct breakdown_list find_breakdowns(const struct against_side *side, const struct run *run,
					     uint32_t group, enum group_parents parents)
{
	struct breakdown_list list = { .breakdowns = checked_calloc(side->count,
								    sizeof(*list.breakdowns)) };

	for (size_t i = 0; i < side->count; i++) {
		const struct fork_breakdowns *breakdowns = &side->runs[i];
		uint32_t index = same_group__in(breakdowns->run, run, group, parents);
		const struct fork_breakdown *breakdown =
			index == NO_GROUP ? NULL : fork_breakdowns__find(breakdowns, index);

		if (breakdown)
			list.breakdowns[list.count++] = breakdown;
	}
	return list;
}

static struct estimate median_of(const struct breakdown_list *list, enum breakdown_line line,
				 bool of_time)
{
	autofree double *values = checked_calloc(list->count, sizeof(*values));
	struct estimate estimate;
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct breakdown_entry *entry = &list->breakdowns[i]->lines[line];

		if (!of_time || entry->known)
			values[count++] = of_time ? entry->ns : entry->faults;
	}
	estimate = stats__median_estimate(values, count);
	return estimate;
}

static struct estimate faults_saved(const struct breakdown_list lists[2])
{
	size_t counts[2] = { lists[0].count, lists[1].count };
	autofree double *values = checked_calloc(counts[0] + counts[1], sizeof(*values));
	struct estimate estimate;

	for (size_t i = 0; i < counts[0]; i++)
		values[i] = lists[0].breakdowns[i]->faults;
	for (size_t i = 0; i < counts[1]; i++)
		values[counts[0] + i] = lists[1].breakdowns[i]->faults;
	/*
	 * Runs without such children have no breakdown, so what remains of both sides is not
	 * paired.
	 */
	estimate = stats__difference(values, counts[0], values + counts[0], counts[1], UNPAIRED);
	return estimate;
}

static bool is_something(const struct estimate *figure)
{
	return figure->known && figure->value != 0;
}

static void add_line(struct against *against, const struct breakdown_list lists[2],
		     enum breakdown_line line)
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
	row.line = checked_strdup(breakdown_line_keys[line]);
	against->rows[against->row_count++] = row;
}

struct against *against__compare(const struct run *run, uint32_t group,
				 const struct against_side sides[2])
{
	struct breakdown_list lists[2] = {
		find_breakdowns(&sides[0], run, group, SAME_PARENT),
		find_breakdowns(&sides[1], run, group, ANY_PARENT),
	};
	struct against *against = NULL;

	if (lists[0].count && lists[1].count) {
		against = against__new();
		against->group = group;
		against->rows = checked_calloc(BREAKDOWN_LINE_COUNT, sizeof(*against->rows));
		for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++)
			add_line(against, lists, line);
		against->faults = faults_saved(lists);
	}
	free(lists[0].breakdowns);
	free(lists[1].breakdowns);
	return against;
}

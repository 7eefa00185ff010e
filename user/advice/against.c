// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/against.h"

#include "advice/groups.h"
#include "analysis/forks/fork_bill.h"
#include "analysis/stats.h"
#include "base/memory.h"

/* The bills of one side, one for each run that has such children. */
struct bills {
	struct fork_bill *bills;
	size_t count;
};

static struct bills make_bills(const struct side *side, const struct run *model, uint32_t group,
			       bool same_parent)
{
	struct bills result = { .bills = checked_calloc(side->count, sizeof(*result.bills)) };

	for (size_t i = 0; i < side->count; i++) {
		const struct run *run = side->runs[i];
		uint32_t index = groups__same(model, group, run, same_parent);

		if (index != NO_GROUP && run->anatomy &&
		    fork_bill__make(run, index, &result.bills[result.count]))
			result.count++;
	}
	return result;
}

static struct figure figure_of(struct estimate estimate)
{
	return (struct figure){ .known = estimate.known,
				.bounded = estimate.bounded,
				.value = estimate.value,
				.low = estimate.low,
				.high = estimate.high };
}

static struct figure median(const struct bills *bills, enum bill_line line, bool of_time)
{
	double *values = checked_calloc(bills->count, sizeof(*values));
	struct estimate estimate;
	size_t count = 0;

	for (size_t i = 0; i < bills->count; i++) {
		const struct bill_entry *entry = &bills->bills[i].lines[line];

		if (!of_time || entry->known)
			values[count++] = of_time ? entry->ns : entry->faults;
	}
	estimate = stats__median_estimate(values, count);
	free(values);
	return figure_of(estimate);
}

static struct figure faults_saved(const struct bills bills[2])
{
	size_t counts[2] = { bills[0].count, bills[1].count };
	double *values = checked_calloc(counts[0] + counts[1], sizeof(*values));
	struct estimate estimate;

	for (size_t i = 0; i < counts[0]; i++)
		values[i] = bills[0].bills[i].faults;
	for (size_t i = 0; i < counts[1]; i++)
		values[counts[0] + i] = bills[1].bills[i].faults;
	/* Runs without such children have no bill: what is left of both sides is not joined. */
	estimate = stats__difference(values, counts[0], values + counts[0], counts[1], UNPAIRED);
	free(values);
	return figure_of(estimate);
}

static bool is_something(const struct figure *figure)
{
	return figure->known && figure->value != 0;
}

static void add_row(struct against *against, const struct bills bills[2], enum bill_line line)
{
	struct against_row row = { 0 };
	bool shown = false;

	for (int i = 0; i < 2; i++) {
		row.faults[i] = median(&bills[i], line, false);
		row.ns[i] = median(&bills[i], line, true);
		shown |= is_something(&row.faults[i]) || is_something(&row.ns[i]);
	}
	if (!shown)
		return;
	row.line = checked_strdup(bill_line_keys[line]);
	against->rows[against->row_count++] = row;
}

struct against *against__compare(const struct side sides[2], uint32_t group)
{
	const struct run *model = sides[0].runs[0];
	struct bills bills[2] = {
		make_bills(&sides[0], model, group, true),
		make_bills(&sides[1], model, group, false),
	};
	struct against *against = NULL;

	if (bills[0].count && bills[1].count) {
		against = against__new();
		against->group = group;
		against->rows = checked_calloc(BILL_LINE_COUNT, sizeof(*against->rows));
		for (int line = 0; line < BILL_LINE_COUNT; line++)
			add_row(against, bills, line);
		against->faults = faults_saved(bills);
	}
	free(bills[0].bills);
	free(bills[1].bills);
	return against;
}

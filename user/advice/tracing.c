// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracing costs time at each fault, part of it outside the fault's own duration. Somewhere in a
 * child, neighbouring instructions take two faults; so the shortest time from the end of one fault
 * to the beginning of the next is the time of tracing, and of entering and leaving the kernel, which
 * calibrated costs include.
 */
#include <math.h>
#include <stdlib.h>

#include "advice/subject.h"
#include "base/autofree.h"
#include "base/memory.h"

static int in_order(const void *left, const void *right)
{
	double a = anatomy_row__since(*(const struct anatomy_row *const *)left);
	double b = anatomy_row__since(*(const struct anatomy_row *const *)right);

	return (a > b) - (a < b);
}

/* Faults that every recorded child took once: only their mean times are in each child's order. */
static size_t find_common(const struct subject *subject, const struct anatomy_row **rows)
{
	size_t count = 0;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group == subject->index && row->phase == PHASE_CHILD && row->timed &&
		    row->children == subject->sample->children && row->faults == row->children)
			rows[count++] = row;
	}
	qsort(rows, count, sizeof(*rows), in_order);
	return count;
}

double subject__tracing_gap(const struct subject *subject)
{
	autofree const struct anatomy_row **rows = checked_calloc(subject->anatomy->row_count, sizeof(*rows));
	size_t count = find_common(subject, rows);
	double shortest = 0;

	for (size_t i = 1; i < count; i++) {
		double gap = anatomy_row__since(rows[i]) - anatomy_row__since(rows[i - 1]) -
			     anatomy_row__ns(rows[i - 1]);

		if (gap > 0 && (shortest == 0 || gap < shortest))
			shortest = gap;
	}
	return shortest;
}

double subject__code_between(const struct subject *subject)
{
	autofree const struct anatomy_row **rows = checked_calloc(subject->anatomy->row_count, sizeof(*rows));
	size_t count = find_common(subject, rows);
	double sum = 0, all = 0, span = 0;

	for (size_t i = 0; i < subject->anatomy->row_count; i++) {
		const struct anatomy_row *row = &subject->anatomy->rows[i];

		if (row->group != subject->index || row->phase != PHASE_CHILD || !row->timed)
			continue;
		sum += anatomy__per_child(subject->anatomy, row) * anatomy_row__ns(row);
		all += anatomy__per_child(subject->anatomy, row);
	}
	if (count)
		span = anatomy_row__since(rows[count - 1]) - anatomy_row__since(rows[0]);
	return fmax(0, span - sum - all * subject__tracing_gap(subject));
}

double subject__binding_code(const struct subject *subject)
{
	const struct breakdown_entry *code = &subject->breakdown->lines[BREAKDOWN_BINDING_CODE];
	double faults = subject->breakdown->lines[BREAKDOWN_BINDING].faults, ns;

	if (!code->known || faults < 1)
		return 0;
	ns = code->ns - (faults - 1) * subject__tracing_gap(subject);
	return ns > 0 ? ns : 0;
}

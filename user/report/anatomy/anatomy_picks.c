// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/anatomy_picks.h"

#include <stdlib.h>

#include "base/memory.h"

enum { LEAST_SHARE = 500 }; /* ranked, rows with less than 1/500 of the time are noise */

static int by_number(const struct anatomy_pick *a, const struct anatomy_pick *b)
{
	return a->number < b->number ? -1 : a->number > b->number;
}

static int by_since(const void *left, const void *right)
{
	const struct anatomy_pick *a = left, *b = right;
	double of_a = anatomy_row__since(a->row), of_b = anatomy_row__since(b->row);

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return by_number(a, b);
}

static int by_faults(const void *left, const void *right)
{
	const struct anatomy_pick *a = left, *b = right;

	if (a->row->faults != b->row->faults)
		return a->row->faults > b->row->faults ? -1 : 1;
	return by_number(a, b);
}

/* Largest first; where nothing was timed, by faults. */
static int by_time(const void *left, const void *right)
{
	const struct anatomy_pick *a = left, *b = right;
	double of_a = anatomy_row__all_ns(a->row), of_b = anatomy_row__all_ns(b->row);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return by_faults(left, right);
}

static int by_place(const void *left, const void *right)
{
	const struct anatomy_pick *a = left, *b = right;
	const struct place *of_a = &a->row->place, *of_b = &b->row->place;

	if (of_a->kind != of_b->kind)
		return of_a->kind < of_b->kind ? -1 : 1;
	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	if (of_a->offset != of_b->offset)
		return (int64_t)of_a->offset < (int64_t)of_b->offset ? -1 : 1;
	return by_number(a, b);
}

static int by_occurrence(const void *left, const void *right)
{
	return by_number(left, right);
}

static void collect(struct anatomy_picks *picks, const struct anatomy *anatomy, uint32_t group,
		    enum phase phase)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group != group || row->phase != phase)
			continue;
		picks->picks = checked_grow(picks->picks, picks->count, sizeof(*picks->picks));
		picks->picks[picks->count] = (struct anatomy_pick){ row, picks->count };
		picks->count++;
		picks->faults += row->faults;
		picks->ns += anatomy_row__all_ns(row);
	}
}

static void order(struct anatomy_picks *picks, int (*compare)(const void *, const void *))
{
	if (picks->count)
		qsort(picks->picks, picks->count, sizeof(*picks->picks), compare);
}

/* How many to show, of those ordered by time, largest first. */
static size_t count_shown(const struct anatomy_picks *picks, size_t most, bool ranked)
{
	size_t shown = picks->count < most ? picks->count : most;

	while (ranked && shown &&
	       anatomy_row__all_ns(picks->picks[shown - 1].row) * LEAST_SHARE < picks->ns)
		shown--;
	/* One row is as long as the line that would say so. */
	return shown + 1 == picks->count ? picks->count : shown;
}

static void cut(struct anatomy_picks *picks, size_t most, bool ranked)
{
	size_t shown;

	if (!ranked && picks->count <= most)
		return;
	order(picks, by_time);
	shown = count_shown(picks, most, ranked);
	for (size_t i = shown; i < picks->count; i++) {
		picks->left_out_faults += picks->picks[i].row->faults;
		picks->left_out_ns += anatomy_row__all_ns(picks->picks[i].row);
	}
	picks->left_out = picks->count - shown;
	picks->count = shown;
}

struct anatomy_picks anatomy_picks__of(const struct run *run, uint32_t group, enum phase phase,
				       enum sort_key sort, size_t most)
{
	struct anatomy_picks picks = { 0 };

	collect(&picks, run->anatomy, group, phase);
	order(&picks, by_since);
	for (size_t i = 0; i < picks.count; i++)
		picks.picks[i].number = i + 1;
	cut(&picks, most, sort == SORT_TIME);
	order(&picks, sort == SORT_TIME	  ? by_time
		      : sort == SORT_CALLS ? by_faults
		      : sort == SORT_NAME  ? by_place
					   : by_occurrence);
	return picks;
}

void anatomy_picks__free(struct anatomy_picks *picks)
{
	free(picks->picks);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/row_selection.h"

#include <stdlib.h>

#include "base/memory.h"

enum { LEAST_SHARE = 500 }; /* ranked, rows with less than 1/500 of the time are noise */

static int by_number(const struct selected_row *a, const struct selected_row *b)
{
	return a->number < b->number ? -1 : a->number > b->number;
}

static int by_since(const void *left, const void *right)
{
	const struct selected_row *a = left, *b = right;
	double of_a = anatomy_row__since(a->row), of_b = anatomy_row__since(b->row);

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return by_number(a, b);
}

static int by_faults(const void *left, const void *right)
{
	const struct selected_row *a = left, *b = right;

	if (a->row->faults != b->row->faults)
		return a->row->faults > b->row->faults ? -1 : 1;
	return by_number(a, b);
}

/* Largest first; where nothing was timed, by faults. */
static int by_time(const void *left, const void *right)
{
	const struct selected_row *a = left, *b = right;
	double of_a = anatomy_row__all_ns(a->row), of_b = anatomy_row__all_ns(b->row);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return by_faults(left, right);
}

static void put_in_order(struct row_selection *selection, enum row_order order)
{
	if (selection->count)
		qsort(selection->rows, selection->count, sizeof(*selection->rows),
		      order == ROWS_BY_TIME ? by_time : by_since);
}

static void find_rows(struct row_selection *selection, const struct anatomy *anatomy, uint32_t group, enum phase phase)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group != group || row->phase != phase)
			continue;
		selection->rows = checked_grow(selection->rows, selection->count, sizeof(*selection->rows));
		selection->rows[selection->count] = (struct selected_row){ row, selection->count };
		selection->count++;
		selection->faults += row->faults;
		selection->ns += anatomy_row__all_ns(row);
	}
}

/* How many to show, of those ordered by time, largest first. */
static size_t count_shown(const struct row_selection *selection, size_t most, bool ranked)
{
	size_t shown = selection->count < most ? selection->count : most;

	while (ranked && shown && anatomy_row__all_ns(selection->rows[shown - 1].row) * LEAST_SHARE < selection->ns)
		shown--;
	/* A single row takes no more room than the line that would say it was left out. */
	return shown + 1 == selection->count ? selection->count : shown;
}

static void leave_out(struct row_selection *selection, size_t most, bool ranked)
{
	size_t shown;

	if (selection->count <= most) /* all of it fits, as on a page */
		return;
	put_in_order(selection, ROWS_BY_TIME);
	shown = count_shown(selection, most, ranked);
	for (size_t i = shown; i < selection->count; i++) {
		selection->left_out_faults += selection->rows[i].row->faults;
		selection->left_out_ns += anatomy_row__all_ns(selection->rows[i].row);
	}
	selection->left_out = selection->count - shown;
	selection->count = shown;
}

struct row_selection row_selection__of(const struct anatomy *anatomy, uint32_t group,
				       enum phase phase, enum row_order order, size_t most)
{
	struct row_selection selection = { 0 };

	find_rows(&selection, anatomy, group, phase);
	put_in_order(&selection, ROWS_BY_OCCURRENCE);
	for (size_t i = 0; i < selection.count; i++)
		selection.rows[i].number = i + 1;
	leave_out(&selection, most, order == ROWS_BY_TIME);
	put_in_order(&selection, order);
	return selection;
}

void row_selection__free(struct row_selection *selection)
{
	free(selection->rows);
}

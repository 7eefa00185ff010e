// SPDX-License-Identifier: GPL-2.0-or-later
/* The faults of a child, or of its parent after the fork, page by page. */
#include "report/anatomy/anatomy_tables.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

/* What the table is about, and which columns have something to say. */
struct view {
	const struct run *run;
	struct table *table;
	enum phase phase;
	struct phase_totals totals;
	struct row_selection selection;
	bool shares, pages;
};

static bool has_around(const struct anatomy_row *row)
{
	return row->class == FAULT_FILE_MAP && row->around != ABSENT && row->around;
}

static void find_columns(struct view *view)
{
	for (size_t i = 0; i < view->selection.count; i++) {
		const struct anatomy_row *row = view->selection.rows[i].row;

		view->shares |= row->children != view->totals.children;
		view->pages |= has_around(row) || row->table_pages;
	}
}

static void add_columns(const struct view *view)
{
	struct table *table = view->table;

	table__column(table, "#", ALIGN_RIGHT);
	if (view->run->anatomy->durations)
		table__column(table, "us", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	if (view->shares)
		table__column(table, "in %", ALIGN_RIGHT);
	table__column(table, "who", ALIGN_LEFT);
	table__column(table, "class", ALIGN_LEFT);
	if (view->pages)
		table__column(table, "pages", ALIGN_RIGHT);
	table__column(table, "target <- code", ALIGN_LEFT);
	table__rule(table);
}

/* Starts a line with the figures that all lines have. */
static void begin_line(const struct view *view, size_t number, double ns, double faults)
{
	struct table *table = view->table;
	char *us = words__us(ns / view->totals.children);

	table__row(table);
	if (number)
		table__count(table, number);
	else
		table__text(table, "");
	if (view->run->anatomy->durations)
		table__text(table, isnan(ns) ? "" : us);
	table__format(table, "%.2f", faults / view->totals.children);
	free(us);
}

static void add_text_after_blanks(const struct view *view, const char *text)
{
	for (int i = view->shares + 2 + view->pages; i; i--)
		table__text(view->table, "");
	table__text(view->table, text);
}

/* "16+1": pages mapped by the fault, and page-table pages allocated for them. */
static void add_pages(const struct view *view, const struct anatomy_row *row)
{
	char *around = has_around(row) ? words("%.0f", (double)row->around / row->faults)
				       : words("%s", "");

	if (view->pages && row->table_pages)
		table__format(view->table, "%s+%.2g", around,
			      (double)row->table_pages / row->faults);
	else if (view->pages)
		table__text(view->table, around);
	free(around);
}

static void add_row(const struct view *view, const struct selected_row *pick)
{
	const struct anatomy_row *row = pick->row;
	struct table *table = view->table;
	char *target = words__place(view->run, &row->place);
	char *code = words__code(view->run, row);

	begin_line(view, pick->number, row->timed ? anatomy_row__all_ns(row) : NAN, row->faults);
	if (view->shares)
		table__format(table, "%.0f", 100.0 * row->children / view->totals.children);
	table__text(table, actor_counters[row->actor].header);
	table__text(table, fault_counters[row->class].header);
	add_pages(view, row);
	table__format(table, "%s%s%s", target, *code ? " <- " : "", code);
	free(target);
	free(code);
}

static void add_rest(const struct view *view)
{
	const struct row_selection *selection = &view->selection;
	double ns = view->run->anatomy->durations ? selection->left_out_ns : NAN;
	char *text;

	if (!selection->left_out)
		return;
	text = words("(%zu more rows: --json or --csv)", selection->left_out);
	begin_line(view, 0, ns, selection->left_out_faults);
	add_text_after_blanks(view, text);
	free(text);
}

static void add_unless_zero(const struct view *view, double faults, const char *text)
{
	if (faults == 0)
		return;
	begin_line(view, 0, NAN, faults);
	add_text_after_blanks(view, text);
}

static void add_total(const struct view *view)
{
	const struct phase_totals *totals = &view->totals;
	bool counted = isfinite(totals->total);

	add_unless_zero(view, totals->unattributed, "unattributed: faults without an event");
	add_unless_zero(view, totals->missed, words__why_missed);
	add_unless_zero(view, totals->beyond, words__why_beyond);
	add_unless_zero(view, phase_totals__rest(totals, view->selection.faults), "not explained");
	table__rule(view->table);
	begin_line(view, 0, view->run->anatomy->durations ? view->selection.ns : NAN,
		   counted ? totals->total : view->selection.faults + totals->beyond);
	add_text_after_blanks(view, counted ? "total, the kernel's own count" : "total");
}

static char *title_of(const struct run *run, uint32_t group, enum phase phase, enum sort_key sort)
{
	static const char *const titles[PHASE_COUNT] = {
		[PHASE_CHILD] = "Faults in the child, per child",
		[PHASE_PARENT] = "Faults in the parent after the fork, per fork",
	};
	char *whose = words__group(run, group, false);
	char *title = words("%s%s: %s", titles[phase], sort == SORT_TIME ? ", most time first" : "",
			    whose);

	free(whose);
	return title;
}

enum row_order report__row_order(enum sort_key sort)
{
	switch (sort) {
	case SORT_TIME:
		return ROWS_BY_TIME;
	case SORT_CALLS:
		return ROWS_BY_FAULTS;
	case SORT_NAME:
		return ROWS_BY_PLACE;
	default:
		return ROWS_BY_OCCURRENCE;
	}
}

struct table *report__anatomy(const struct run *run, const struct report_options *options,
			      uint32_t group, enum phase phase, size_t most)
{
	struct view view = { .run = run, .phase = phase };
	char *title;

	view.totals = phase_totals__of(run, group, phase);
	if (!view.totals.children)
		return NULL;
	view.selection = row_selection__of(run->anatomy, group, phase,
					   report__row_order(options->sort), most);
	if (!view.selection.count && !(view.totals.total > 0)) {
		row_selection__free(&view.selection);
		return NULL;
	}
	title = title_of(run, group, phase, options->sort);
	view.table = table__new(title);
	find_columns(&view);
	add_columns(&view);
	for (size_t i = 0; i < view.selection.count; i++)
		add_row(&view, &view.selection.rows[i]);
	add_rest(&view);
	add_total(&view);
	row_selection__free(&view.selection);
	free(title);
	return view.table;
}

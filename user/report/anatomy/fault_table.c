// SPDX-License-Identifier: GPL-2.0-or-later
/* The faults of a child, or of its parent after the fork, page by page. */
#include "report/anatomy/anatomy_tables.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* What the table is about. */
struct fault_view {
	const struct run *run;
	struct phase_totals totals;
	struct row_selection selection;
	bool shares; /* some rows are not of all children */
};

static bool has_around(const struct anatomy_row *row)
{
	return row->class == FAULT_FILE_MAP && row->around != ABSENT && row->around;
}

static bool has_shares(const struct fault_view *view)
{
	for (size_t i = 0; i < view->selection.count; i++)
		if (view->selection.rows[i].row->children != view->totals.children)
			return true;
	return false;
}

/* A row of faults, or the sum of several rows, which has only a time, a number of faults and a text. */
struct fault_line {
	uint64_t number; /* 0: none */
	struct cell us, faults, share;
	const char *who, *class;
	struct cell pages, target;
};

static const struct column fault_line_columns[] = {
	{ "#", COUNT_OF(struct fault_line, number), .unless_zero = true },
	{ "us", COLUMN_NUMBER, CELL_OF(struct fault_line, us), IF_ANY },
	{ "faults", COLUMN_NUMBER, CELL_OF(struct fault_line, faults) },
	{ "in %", COLUMN_NUMBER, CELL_OF(struct fault_line, share), WHEN(struct fault_view, shares) },
	{ "who", TEXT_OF(struct fault_line, who) },
	{ "class", TEXT_OF(struct fault_line, class) },
	{ "pages", COLUMN_NUMBER, CELL_OF(struct fault_line, pages), IF_ANY },
	{ "target <- code", COLUMN_TEXT, CELL_OF(struct fault_line, target) },
};

/* "16+1": pages mapped by the fault, and page-table pages allocated for them. */
static struct cell pages_of(const struct anatomy_row *row)
{
	char *pages = has_around(row) ? text__of("%.0f", (double)row->around / row->faults) : text__of("%s", "");

	if (row->table_pages)
		text__replace(&pages, "%s+%.2g", pages, (double)row->table_pages / row->faults);
	return cell__own(pages);
}

static struct cell target_of(const struct run *run, const struct anatomy_row *row)
{
	char *target = words__place(run, &row->place), *code = words__code(run, row);

	text__replace(&target, "%s%s%s", target, *code ? " <- " : "", code);
	free(code);
	return cell__own(target);
}

/* Per child; a time of NAN is not known. */
static struct fault_line sum_line(const struct fault_view *view, double ns, double faults)
{
	double children = view->totals.children;

	return (struct fault_line){
		.us = isnan(ns) ? cell__blank() : cell__us(ns / children),
		.faults = cell__number(faults / children, 2),
	};
}

static void add_row_of_faults(struct table *table, const struct fault_view *view, const struct selected_row *selected)
{
	const struct anatomy_row *row = selected->row;
	struct fault_line line = sum_line(view, row->timed ? anatomy_row__all_ns(row) : NAN, row->faults);

	line.number = selected->number;
	line.share = cell__number(100.0 * row->children / view->totals.children, 0);
	line.who = actor_counters[row->actor].header;
	line.class = fault_counters[row->class].header;
	line.pages = pages_of(row);
	line.target = target_of(view->run, row);
	table__add(table, &line);
}

static void add_sum_of_faults(struct table *table, const struct fault_view *view, double ns,
			      double faults, const char *name)
{
	struct fault_line line = sum_line(view, ns, faults);

	line.target = cell__text(name);
	table__add(table, &line);
}

static void add_rest(struct table *table, const struct fault_view *view, const char *others)
{
	const struct row_selection *selection = &view->selection;
	autofree char *text = text__of("(%zu more rows%s)", selection->left_out, others);

	if (selection->left_out)
		add_sum_of_faults(table, view, selection->left_out_ns, selection->left_out_faults, text);
}

static void add_unless_zero(struct table *table, const struct fault_view *view, double faults, const char *name)
{
	if (faults != 0)
		add_sum_of_faults(table, view, NAN, faults, name);
}

static void add_total(struct table *table, const struct fault_view *view)
{
	const struct phase_totals *totals = &view->totals;
	bool counted = isfinite(totals->total);

	add_unless_zero(table, view, totals->unattributed, "unattributed: faults without an event");
	add_unless_zero(table, view, totals->missed, words__why_missed);
	add_unless_zero(table, view, totals->beyond, words__why_beyond);
	add_unless_zero(table, view, phase_totals__rest(totals, view->selection.faults), "not explained");
	table__rule(table);
	add_sum_of_faults(table, view, view->selection.ns,
			  counted ? totals->total : view->selection.faults + totals->beyond,
			  counted ? "total, the kernel's own count" : "total");
}

static char *title_of(const struct run *run, uint32_t group, enum phase phase, bool by_time)
{
	static const char *const titles[PHASE_COUNT] = {
		[PHASE_CHILD] = "Faults in the child, per child",
		[PHASE_PARENT] = "Faults in the parent after the fork, per fork",
	};
	char *title = names__group(run, group, false);

	text__replace(&title, "%s%s: %s", titles[phase], by_time ? ", most time first" : "", title);
	return title;
}

enum row_order report__row_order(const struct report_options *options)
{
	return options->by_time ? ROWS_BY_TIME : ROWS_BY_OCCURRENCE;
}

struct table *report__anatomy(const struct run *run, const struct report_options *options,
			      uint32_t group, enum phase phase, struct room room)
{
	struct fault_view view = { .run = run, .totals = phase_totals__of(run, group, phase) };
	struct table *table = NULL;

	if (!view.totals.children)
		return NULL;
	view.selection = row_selection__of(run->anatomy, group, phase, report__row_order(options), room.rows);
	if (view.selection.count || view.totals.total > 0) {
		table = table__titled(title_of(run, group, phase, options->by_time), NULL);
		view.shares = has_shares(&view);
		TABLE_COLUMNS(table, fault_line_columns, &view);
		table__rule(table);
		for (size_t i = 0; i < view.selection.count; i++)
			add_row_of_faults(table, &view, &view.selection.rows[i]);
		add_rest(table, &view, room.others);
		add_total(table, &view);
	}
	row_selection__free(&view.selection);
	return table;
}

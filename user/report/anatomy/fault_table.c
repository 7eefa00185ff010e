// SPDX-License-Identifier: GPL-2.0-or-later
/* The faults of a child, or of its parent after the fork, page by page. */
#include "report/anatomy/anatomy_tables.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/forks/phase_totals.h"
#include "analysis/forks/row_selection.h"
#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* What the table is about, and which columns have something to say. */
struct fault_view {
	const struct run *run;
	struct phase_totals totals;
	struct row_selection selection;
	bool timed, shares, pages;
};

/* Without a row: a sum, of what `name` says. */
struct fault_line {
	const struct anatomy_row *row;
	const char *name;
	uint64_t number; /* 0: none */
	double ns, faults; /* of all children; ns NAN: not known */
};

static bool has_around(const struct anatomy_row *row)
{
	return row->class == FAULT_FILE_MAP && row->around != ABSENT && row->around;
}

static void find_columns(struct fault_view *view)
{
	view->timed = view->run->anatomy->durations;
	for (size_t i = 0; i < view->selection.count; i++) {
		const struct anatomy_row *row = view->selection.rows[i].row;

		view->shares |= row->children != view->totals.children;
		view->pages |= has_around(row) || row->table_pages;
	}
}

static struct cell fault_time(const void *subject, const void *row, int index)
{
	double ns = ((const struct fault_line *)row)->ns;

	return isnan(ns) ? cell__blank() :
			   cell__us(ns / ((const struct fault_view *)subject)->totals.children);
}

static struct cell fault_count(const void *subject, const void *row, int index)
{
	return cell__number(((const struct fault_line *)row)->faults /
				    ((const struct fault_view *)subject)->totals.children, 2);
}

static struct cell fault_share(const void *subject, const void *row, int index)
{
	const struct anatomy_row *faults = ((const struct fault_line *)row)->row;

	return faults ? cell__number(100.0 * faults->children /
					     ((const struct fault_view *)subject)->totals.children,
				     0) :
			cell__blank();
}

static struct cell fault_actor(const void *subject, const void *row, int index)
{
	const struct anatomy_row *faults = ((const struct fault_line *)row)->row;

	return faults ? cell__text(actor_counters[faults->actor].header) : cell__blank();
}

static struct cell fault_class_name(const void *subject, const void *row, int index)
{
	const struct anatomy_row *faults = ((const struct fault_line *)row)->row;

	return faults ? cell__text(fault_counters[faults->class].header) : cell__blank();
}

/* "16+1": pages mapped by the fault, and page-table pages allocated for them. */
static struct cell fault_pages(const void *subject, const void *row, int index)
{
	const struct anatomy_row *faults = ((const struct fault_line *)row)->row;
	char *pages;

	if (!faults)
		return cell__blank();
	pages = has_around(faults) ? text__of("%.0f", (double)faults->around / faults->faults) :
				     text__of("%s", "");
	if (faults->table_pages)
		text__replace(&pages, "%s+%.2g", pages,
			      (double)faults->table_pages / faults->faults);
	return cell__own(pages);
}

static struct cell fault_target(const void *subject, const void *row, int index)
{
	const struct run *run = ((const struct fault_view *)subject)->run;
	const struct fault_line *line = row;
	char *target, *code;

	if (!line->row)
		return cell__text(line->name);
	target = words__place(run, &line->row->place);
	code = words__code(run, line->row);
	text__replace(&target, "%s%s%s", target, *code ? " <- " : "", code);
	free(code);
	return cell__own(target);
}

static const struct column fault_line_columns[] = {
	{ "#", COUNT_OF(struct fault_line, number), .unless_zero = true },
	{ "us", COLUMN_NUMBER, .cell = fault_time, WHEN(struct fault_view, timed) },
	{ "faults", COLUMN_NUMBER, .cell = fault_count },
	{ "in %", COLUMN_NUMBER, .cell = fault_share, WHEN(struct fault_view, shares) },
	{ "who", COLUMN_TEXT, .cell = fault_actor },
	{ "class", COLUMN_TEXT, .cell = fault_class_name },
	{ "pages", COLUMN_NUMBER, .cell = fault_pages, WHEN(struct fault_view, pages) },
	{ "target <- code", COLUMN_TEXT, .cell = fault_target },
};

static void add_row_of_faults(struct table *table, const struct selected_row *selected)
{
	const struct anatomy_row *row = selected->row;

	table__add(table, &(struct fault_line){
				  .row = row,
				  .number = selected->number,
				  .ns = row->timed ? anatomy_row__all_ns(row) : NAN,
				  .faults = row->faults,
			  });
}

static void add_sum_of_faults(struct table *table, double ns, double faults, const char *name)
{
	table__add(table, &(struct fault_line){ .name = name, .ns = ns, .faults = faults });
}

static void add_rest(struct table *table, const struct row_selection *selection)
{
	char *text = text__of("(%zu more rows: --json or --csv)", selection->left_out);

	if (selection->left_out)
		add_sum_of_faults(table, selection->left_out_ns, selection->left_out_faults, text);
	free(text);
}

static void add_unless_zero(struct table *table, double faults, const char *name)
{
	if (faults != 0)
		add_sum_of_faults(table, NAN, faults, name);
}

static void add_total(struct table *table, const struct fault_view *view)
{
	const struct phase_totals *totals = &view->totals;
	bool counted = isfinite(totals->total);

	add_unless_zero(table, totals->unattributed, "unattributed: faults without an event");
	add_unless_zero(table, totals->missed, words__why_missed);
	add_unless_zero(table, totals->beyond, words__why_beyond);
	add_unless_zero(table, phase_totals__rest(totals, view->selection.faults),
			"not explained");
	table__rule(table);
	add_sum_of_faults(table, view->selection.ns,
			  counted ? totals->total : view->selection.faults + totals->beyond,
			  counted ? "total, the kernel's own count" : "total");
}

static char *title_of(const struct run *run, uint32_t group, enum phase phase, enum sort_key sort)
{
	static const char *const titles[PHASE_COUNT] = {
		[PHASE_CHILD] = "Faults in the child, per child",
		[PHASE_PARENT] = "Faults in the parent after the fork, per fork",
	};
	char *title = words__group(run, group, false);

	text__replace(&title, "%s%s: %s", titles[phase],
		      sort == SORT_TIME ? ", most time first" : "", title);
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
	struct fault_view view = { .run = run, .totals = phase_totals__of(run, group, phase) };
	struct table *table = NULL;

	if (!view.totals.children)
		return NULL;
	view.selection = row_selection__of(run->anatomy, group, phase,
					   report__row_order(options->sort), most);
	if (view.selection.count || view.totals.total > 0) {
		table = table__titled(title_of(run, group, phase, options->sort), NULL);
		find_columns(&view);
		TABLE_COLUMNS(table, fault_line_columns, &view);
		table__rule(table);
		for (size_t i = 0; i < view.selection.count; i++)
			add_row_of_faults(table, &view.selection.rows[i]);
		add_rest(table, &view.selection);
		add_total(table, &view);
	}
	row_selection__free(&view.selection);
	return table;
}

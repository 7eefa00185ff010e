// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantity.h"
#include "report/picture/pictures.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* Each bar begins where the one above ends, so together they show the whole. */
static void add_line(struct bar_chart *chart, const char *title, double start, double ns,
		     double whole)
{
	struct bar *bar = bar_chart__add(chart);

	bar->label = text__of("%s", title);
	bar->text = text__of("%s  %s", quantity__time(ns).text, quantity__share(ns, whole).text);
	bar->hint = text__of("%s: %s of each fork", title, quantity__time(ns).text);
	bar->start = start;
	bar->value = ns;
	if (ns < 0)
		bar->class = "hatched";
}

struct breakdown_row {
	struct cell share, us;
	double faults;
	const char *title;
};

static const struct column breakdown_columns[] = {
	{ "% time", COLUMN_NUMBER, CELL_OF(struct breakdown_row, share) },
	{ "us", COLUMN_NUMBER, CELL_OF(struct breakdown_row, us) },
	{ "faults", NUMBER_OF(struct breakdown_row, faults), .decimals = 2 },
	{ "line", TEXT_OF(struct breakdown_row, title) },
};

static bool is_shown(const struct breakdown_entry *entry, int line)
{
	return entry->known && (entry->ns != 0 || line == BREAKDOWN_UNEXPLAINED);
}

void picture__breakdown(const struct run *run, const struct fork_breakdown *breakdown,
			const struct table_output *output)
{
	struct bar_chart chart = { .label = "Where the time of one fork goes" };
	struct table *table = table__new(NULL);
	double sum = 0;

	TABLE_COLUMNS(table, breakdown_columns, NULL);
	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++) {
		const struct breakdown_entry *entry = &breakdown->lines[line];
		const struct breakdown_row row = {
			entry->known ? cell__percent(entry->ns, breakdown->whole) : cell__absent(),
			cell__us(entry->known ? entry->ns : NAN), entry->faults, breakdown_line_titles[line],
		};

		if (line == BREAKDOWN_PARENT || (!is_shown(entry, line) && !entry->faults))
			continue;
		if (is_shown(entry, line))
			add_line(&chart, row.title, sum, entry->ns, breakdown->whole);
		sum += entry->known ? entry->ns : 0;
		table__add(table, &row);
	}
	table__total(table, "total");
	bar_chart__draw(
		&chart,
		"Each bar begins where the one above ends: together they are the whole fork, "
		"from the parent's call until it has reaped the child.",
		output->page);
	table__finish(table, output);
}

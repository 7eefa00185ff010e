// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/words.h"

struct cost_line {
	enum cost cost;
	const struct estimate *figure;
};

static struct cell ns_cell(const void *subject, const void *row, int index)
{
	const struct estimate *figure = ((const struct cost_line *)row)->figure;

	return cell__of_estimate(figure, words__estimate(figure, unit__none));
}

static struct cell of_cell(const void *subject, const void *row, int index)
{
	const enum cost cost = ((const struct cost_line *)row)->cost;

	return cell__names(text__of("%s", cost_titles[cost]), text__of("%s", cost_keys[cost]));
}

/* Programs read the name first. */
static const struct column cost_columns[] = {
	{ "of one", COLUMN_TEXT, .cell = of_cell, .view = VIEW_DATA },
	{ "ns", COLUMN_ESTIMATE, .cell = ns_cell },
	{ "of one", COLUMN_TEXT, .cell = of_cell, .view = VIEW_READING },
};

struct table *report__costs(const struct run *run, const struct report_options *options)
{
	struct table *table =
		table__titled(text__of("Costs on this machine (from warm to cold caches)"),
			      text__of("Costs on this machine"));

	TABLE_COLUMNS(table, cost_columns, NULL);
	table__rule(table);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct cost_line line = { cost, &run->anatomy->costs[cost] };

		if (line.figure->known)
			table__add(table, &line);
	}
	return table;
}

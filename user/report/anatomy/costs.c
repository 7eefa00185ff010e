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
	struct cell ns;
};

/* Programs read the name first. */
static const struct column cost_columns[] = {
	{ "of one", WORD_OF(struct cost_line, cost, cost_keys), .view = VIEW_DATA },
	{ "ns", COLUMN_ESTIMATE, CELL_OF(struct cost_line, ns) },
	{ "of one", WORD_OF(struct cost_line, cost, cost_titles), .view = VIEW_READING },
};

struct table *report__costs(const struct run *run, const struct report_options *options)
{
	struct table *table = table__titled(text__of("Costs on this machine (from warm to cold caches)"),
					    text__of("Costs on this machine"));

	TABLE_COLUMNS(table, cost_columns, NULL);
	table__rule(table);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct estimate *figure = &run->anatomy->costs[cost];

		if (figure->known)
			table__add(table, &(struct cost_line){
				cost, cell__in(cell__of_estimate(figure, NULL), FORM_RANGE, unit__none) });
	}
	return table;
}

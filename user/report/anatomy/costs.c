// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

struct cost_line {
	const char *key;
	struct cell ns;
};

static const struct column cost_columns[] = {
	{ "of one", TEXT_OF(struct cost_line, key) },
	{ "ns", COLUMN_ESTIMATE, CELL_OF(struct cost_line, ns) },
};

struct table *report__costs(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Costs on this machine");

	TABLE_COLUMNS(table, cost_columns, NULL);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct estimate *figure = &run->anatomy->costs[cost];

		if (figure->known)
			table__add(table, &(struct cost_line){ cost_keys[cost],
							       cell__of_estimate(figure, NULL) });
	}
	return table;
}

void report__print_costs(const struct run *run, const struct report_options *options,
			 const struct table_output *output)
{
	char *text = text__of("%s", "");

	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct estimate *figure = &run->anatomy->costs[cost];
		char *ns = words__figure(figure, 1);

		if (figure->known)
			text__replace(&text, "%s%s%s %s", text, *text ? "; " : "",
				      cost_titles[cost], ns);
		free(ns);
	}
	if (*text) {
		putc('\n', output->stream);
		wrap__title("Costs on this machine, ns each (from warm to cold caches)", output);
		wrap__print(NULL, text, 0, 2, output);
	}
	free(text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy.h"

#include <stdlib.h>

#include "report/words_anatomy.h"

struct table *report__costs(const struct run *run)
{
	struct table *table = table__new("Costs on this machine, measured before the run");

	table__column(table, "ns (95 % interval)", ALIGN_RIGHT);
	table__column(table, "of one", ALIGN_LEFT);
	table__rule(table);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct figure *figure = &run->anatomy->costs[cost];
		char *text = words__figure(figure, 1);

		if (figure->known) {
			table__row(table);
			table__text(table, text);
			table__text(table, cost_titles[cost]);
		}
		free(text);
	}
	if (table__rows(table) > 1)
		return table;
	table__free(table);
	return NULL;
}

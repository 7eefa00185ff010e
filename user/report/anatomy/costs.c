// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

static void add_bound(struct table *table, const struct figure *figure, double value)
{
	if (figure->bounded)
		table__format(table, "%.15g", value);
	else
		table__text(table, "");
}

struct table *report__costs(const struct run *run)
{
	static const char *const headers[] = { "of one", "ns", "low", "high" };
	struct table *table = table__new("Costs on this machine");

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct figure *figure = &run->anatomy->costs[cost];

		if (!figure->known)
			continue;
		table__row(table);
		table__text(table, cost_keys[cost]);
		table__format(table, "%.15g", figure->value);
		add_bound(table, figure, figure->low);
		add_bound(table, figure, figure->high);
	}
	if (table__rows(table))
		return table;
	table__free(table);
	return NULL;
}

void report__print_costs(const struct run *run, const struct table_output *output)
{
	char *text = text__of("%s", "");

	for (int cost = 0; cost < COST_COUNT; cost++) {
		const struct figure *figure = &run->anatomy->costs[cost];
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* Remedies as rows, the largest measured saving first; those without effect in one line. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/workers/workers_report.h"
#include "report/workers/workers_trials.h"

enum { REMEDIES_SHOWN = 8 };

static struct cell saving_cell(const void *subject, const void *row, int offset)
{
	const struct estimate *figure = (const struct estimate *)((const char *)row + offset);

	return figure->known ? cell__number(figure->value / unit__mib.size, 1) : cell__absent();
}

#define SAVING(member) COLUMN_NUMBER, .cell = saving_cell, .index = offsetof(struct pool_advice, member)

static const struct column remedy_columns[] = {
	{ "measured", SAVING(measured_bytes) },
	{ "predicted", SAVING(predicted_bytes) },
	{ "rule", TEXT_OF(struct pool_advice, rule) },
	{ "finding", TEXT_OF(struct pool_advice, title) },
};

static bool has_no_effect(const struct pool_advice *advice, double worth)
{
	return advice->measured_bytes.known && fabs(advice->measured_bytes.value) < worth;
}

static void print_rest(const struct pool_trials *trials, const struct table_output *output)
{
	struct name_list rules = { .most = 16 };
	char *text;

	for (size_t i = 0; i < trials->advice_count; i++)
		if (has_no_effect(&trials->advice[i], pool_trials__worth(trials)))
			name_list__add(&rules, trials->advice[i].rule);
	text = name_list__finish(&rules);
	if (text)
		wrap__paragraph("No effect:", text, output);
}

void workers_trials__print_brief(const struct pool_trials *trials, const struct report_options *options,
				 const struct table_output *output)
{
	struct table *table = table__new("Remedies, MiB saved (what to do: --show=remedies)");
	const struct pool_advice **order = workers_trials__by_saving(trials);
	size_t most = workers_report__most(REMEDIES_SHOWN, options);

	TABLE_COLUMNS(table, remedy_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < trials->advice_count && most; i++) {
		if (has_no_effect(order[i], pool_trials__worth(trials)))
			continue;
		table__add(table, order[i]);
		most--;
	}
	free(order);
	if (table__has_rows_for(table, VIEW_READING))
		table__show(table, output);
	else
		table__free(table);
	print_rest(trials, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* All that is known of every row, as numbers, in one table. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

static void add_columns(struct table *table)
{
	static const char *const headers[] = {
		"group", "phase", "actor", "class", "kind", "object", "offset", "section", "symbol",
		"symbol offset", "varies", "code kind", "code object", "code offset",
		"code section", "code symbol", "code symbol offset", "code varies", "call", "exec",
		"faults", "children", "recorded", "timed", "ns", "around", "table pages",
		"since ns",
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
}

static void add_place(struct table *table, const struct run *run, const struct place *place)
{
	char *object = place->object == NO_OBJECT ? NULL : words__object(run, place->object, true);

	table__text(table, place_counters[place->kind].key);
	table__text(table, object);
	table__format(table, "%" PRId64, (int64_t)place->offset);
	table__text(table, place->section);
	table__text(table, place->symbol);
	if (place->symbol)
		table__count(table, place->symbol_offset);
	else
		table__text(table, "");
	table__text(table, place->varies ? "yes" : "no");
	free(object);
}

static void add_row(struct table *table, const struct run *run, const struct anatomy_row *row)
{
	const struct sample *sample = anatomy__sample(run->anatomy, row->group);
	char *group = words__group(run, row->group, true);

	table__row(table);
	table__text(table, group);
	table__text(table, phase_counters[row->phase].key);
	table__text(table, actor_counters[row->actor].key);
	table__text(table, fault_counters[row->class].key);
	add_place(table, run, &row->place);
	add_place(table, run, &row->code);
	table__text(table, row->call);
	table__text(table, row->is_exec ? "yes" : "no");
	table__count(table, row->faults);
	table__count(table, row->children);
	table__count(table, sample ? sample->children : ABSENT);
	table__count(table, row->timed);
	table__count(table, row->timed ? row->ns : ABSENT);
	table__count(table, row->around);
	table__count(table, row->table_pages);
	table__count(table, row->since_ns);
	free(group);
}

struct table *report__anatomy_rows(const struct run *run)
{
	struct table *table;

	if (!run->anatomy->row_count)
		return NULL;
	table = table__new("Anatomy: recorded faults");
	add_columns(table);
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		add_row(table, run, &run->anatomy->rows[i]);
	return table;
}

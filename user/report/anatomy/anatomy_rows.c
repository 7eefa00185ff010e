// SPDX-License-Identifier: GPL-2.0-or-later
/* Every row with all that is known of it, unrounded, in one table. */
#include <inttypes.h>

#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/cells.h"

struct place_line {
	const char *kind, *section, *symbol, *varies;
	struct cell object, offset, symbol_offset;
};

struct row_line {
	struct anatomy_row row;
	struct cell group;
	const char *phase, *actor, *class, *exec;
	struct place_line page, code;
	uint64_t recorded, ns;
};

#define PLACE_COLUMNS(prefix, place)                                                               \
	{ prefix "kind", TEXT_OF(struct row_line, place.kind) },                                   \
	{ prefix "object", COLUMN_TEXT, CELL_OF(struct row_line, place.object) },                  \
	{ prefix "offset", COLUMN_COUNT, CELL_OF(struct row_line, place.offset) },                 \
	{ prefix "section", TEXT_OF(struct row_line, place.section) },                             \
	{ prefix "symbol", TEXT_OF(struct row_line, place.symbol) },                               \
	{ prefix "symbol offset", COLUMN_COUNT, CELL_OF(struct row_line, place.symbol_offset) },   \
	{ prefix "varies", TEXT_OF(struct row_line, place.varies) }

static const struct column row_columns[] = {
	{ "group", COLUMN_TEXT, CELL_OF(struct row_line, group) },
	{ "phase", TEXT_OF(struct row_line, phase) },
	{ "actor", TEXT_OF(struct row_line, actor) },
	{ "class", TEXT_OF(struct row_line, class) },
	PLACE_COLUMNS("", page),
	PLACE_COLUMNS("code ", code),
	{ "call", TEXT_OF(struct row_line, row.call) },
	{ "exec", TEXT_OF(struct row_line, exec) },
	{ "faults", COUNT_OF(struct row_line, row.faults) },
	{ "children", COUNT_OF(struct row_line, row.children) },
	{ "recorded", COUNT_OF(struct row_line, recorded) },
	{ "timed", COUNT_OF(struct row_line, row.timed) },
	{ "ns", COUNT_OF(struct row_line, ns) },
	{ "around", COUNT_OF(struct row_line, row.around) },
	{ "table pages", COUNT_OF(struct row_line, row.table_pages) },
	{ "since ns", COUNT_OF(struct row_line, row.since_ns) },
};

static struct place_line line_of_place(const struct run *run, const struct place *place)
{
	return (struct place_line){
		.kind = place_counters[place->kind].key,
		.object = place->object == NO_OBJECT ? cell__blank() :
						       cell__object(run, place->object),
		.offset = cell__own(text__of("%" PRId64, (int64_t)place->offset)),
		.section = place->section,
		.symbol = place->symbol,
		.symbol_offset = place->symbol ? cell__count(place->symbol_offset) : cell__blank(),
		.varies = place->varies ? "yes" : "no",
	};
}

static void add_anatomy_row(struct table *table, const struct run *run,
			    const struct anatomy_row *row)
{
	const struct sample *sample = anatomy__sample(run->anatomy, row->group);
	const struct row_line line = {
		.row = *row,
		.group = cell__group(run, row->group),
		.phase = phase_counters[row->phase].key,
		.actor = actor_counters[row->actor].key,
		.class = fault_counters[row->class].key,
		.page = line_of_place(run, &row->place),
		.code = line_of_place(run, &row->code),
		.exec = row->is_exec ? "yes" : "no",
		.recorded = sample ? sample->children : ABSENT,
		.ns = row->timed ? row->ns : ABSENT,
	};

	table__add(table, &line);
}

struct table *report__anatomy_rows(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Anatomy: recorded faults");

	TABLE_COLUMNS(table, row_columns, run);
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		add_anatomy_row(table, run, &run->anatomy->rows[i]);
	return table;
}

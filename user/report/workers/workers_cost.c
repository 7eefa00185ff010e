// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a pool exists once, and what one more worker costs. */
#include "base/text.h"
#include "format/column.h"
#include "report/workers/workers_report.h"

enum { NO_ROW_PARTS = 1000 }; /* of its column */

struct cost_row {
	uint64_t once, each; /* bytes; 0: none */
	const char *what;
};

static struct cell bytes_cell(const void *subject, const void *row, int index)
{
	const uint64_t bytes = *(const uint64_t *)((const char *)row + index);

	return bytes ? cell__in(cell__count(bytes), FORM_VALUE, *(const struct unit *)subject) : cell__blank();
}

static const struct column cost_columns[] = {
	{ "once", COLUMN_COUNT, .cell = bytes_cell, .index = offsetof(struct cost_row, once) },
	{ "each worker", COLUMN_COUNT, .cell = bytes_cell, .index = offsetof(struct cost_row, each) },
	{ "what", TEXT_OF(struct cost_row, what) },
};

struct cost_table {
	struct table *table;
	uint64_t once_least, each_least; /* bytes: what is less has no row */
};

static void add(const struct cost_table *to, uint64_t once, uint64_t each, const char *what)
{
	if (once != ABSENT && (once > to->once_least || each > to->each_least))
		table__add(to->table, &(struct cost_row){ once, each, what });
}

struct table *workers_tables__cost(const struct workers *workers)
{
	const struct workers_cost cost = workers__cost(workers);
	const uint64_t once = workers_cost__once(&cost), each = workers_cost__each(&cost);
	const struct unit unit = once + each > 16 << 20 ? unit__mib : unit__kib;
	struct table *table = table__titled(
		text__of("What exists once, and what each worker has, %s", unit.name), NULL);
	const struct cost_table rows = { table, once / NO_ROW_PARTS, each / NO_ROW_PARTS };

	TABLE_COLUMNS(table, cost_columns, &unit);
	table__rule(table);
	add(&rows, cost.shmem, 0, "shared memory (shmem)");
	add(&rows, cost.files, 0, "files (programs, libraries)");
	add(&rows, cost.anon, 0, workers->has_master ? "the master's memory, which workers share in part"
							  : "memory that workers share");
	add(&rows, 0, cost.same, workers->has_master ? "copies, still the same as the master's"
						      : "copies, the same as in another worker");
	add(&rows, 0, cost.changed, "copies that have changed");
	add(&rows, 0, cost.repeated, "new, with the same contents in other workers");
	add(&rows, 0, cost.new, "new, its own");
	add(&rows, 0, cost.unknown, "unknown whether shared, in no sum");
	table__rule(table);
	table__add(table, &(struct cost_row){ once, each, "sum; another worker costs the second" });
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What a fork costs on the clock. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

static const struct fork_cost *cost_of(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);

	return cost && cost->forks ? cost : NULL;
}

/* "WHAT: whose", of a group. */
static struct table *new_table(const struct run *run, uint32_t group, const char *what)
{
	char *title = names__group(run, group, false);

	text__replace(&title, "%s: %s", what, title);
	return table__titled(title, NULL);
}

struct part_of_fork {
	struct cell share, us;
	const char *name;
};

static const struct column part_columns[] = {
	{ "% time", COLUMN_NUMBER, CELL_OF(struct part_of_fork, share) },
	{ "us", COLUMN_NUMBER, CELL_OF(struct part_of_fork, us) },
	{ "part", TEXT_OF(struct part_of_fork, name) },
};

static void add_part(struct table *table, const struct fork_cost *cost, double ns, const char *name)
{
	table__add(table, &(struct part_of_fork){ cell__percent(ns, cost->typical_ns),
					       cell__us(ns / cost->typical), name });
}

struct table *report__fork_parts(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = cost_of(run, group);
	struct table *table;
	double rest;
	char *what;

	if (!cost || !cost->complete)
		return NULL;
	what = text__of("One fork, mean of the middle half (%" PRIu64 ") of %" PRIu64, cost->typical, cost->complete);
	table = new_table(run, group, what);
	free(what);
	TABLE_COLUMNS(table, part_columns, NULL);
	table__rule(table);
	rest = cost->typical_ns;
	for (int part = 0; part < PART_COUNT; part++) {
		add_part(table, cost, cost->part_ns[part], part_counters[part].header);
		rest -= cost->part_ns[part];
	}
	add_part(table, cost, rest, "not explained");
	table__rule(table);
	add_part(table, cost, cost->typical_ns, "total");
	return table;
}

struct fork_times {
	uint64_t forks;
	struct cell mean, min, median, p99, max;
	const char *name;
};

static const struct column times_columns[] = {
	{ "forks", COUNT_OF(struct fork_times, forks) },
	{ "mean us", COLUMN_NUMBER, CELL_OF(struct fork_times, mean) },
	{ "min us", COLUMN_NUMBER, CELL_OF(struct fork_times, min) },
	{ "median us", COLUMN_NUMBER, CELL_OF(struct fork_times, median) },
	{ "p99 us", COLUMN_NUMBER, CELL_OF(struct fork_times, p99) },
	{ "max us", COLUMN_NUMBER, CELL_OF(struct fork_times, max) },
	{ "of", TEXT_OF(struct fork_times, name) },
};

static void add_times(struct table *table, const struct spread_ns *spread, const char *name)
{
	if (spread->count)
		table__add(table, &(struct fork_times){ spread->count, cell__us((double)spread->total / spread->count),
							cell__us(spread->min), cell__us(spread->median),
							cell__us(spread->p99), cell__us(spread->max), name });
}

struct table *report__fork_times(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = cost_of(run, group);
	struct table *table;

	if (!cost || !(cost->call.count || cost->whole.count))
		return NULL;
	table = new_table(run, group, "Time of forks");
	TABLE_COLUMNS(table, times_columns, NULL);
	table__rule(table);
	add_times(table, &cost->call, "the call, in the parent");
	add_times(table, &cost->whole, "from the call to the end of wait4");
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What a fork costs on the clock. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

static const struct fork_cost *cost_of(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);

	return cost && cost->forks ? cost : NULL;
}

static struct table *new_table(const struct run *run, const struct report_options *options,
			       uint32_t group, const char *what)
{
	char *whose = words__group(run, group, options->csv);
	char *title = text__of("%s: %s", what, whose);
	struct table *table = table__new(title);

	free(title);
	free(whose);
	return table;
}

static void add_part(struct table *table, const struct fork_cost *cost, double ns, const char *name)
{
	char *us = words__us(ns / cost->typical);

	table__row(table);
	if (cost->typical_ns)
		table__format(table, "%.2f", 100.0 * ns / cost->typical_ns);
	else
		table__text(table, "");
	table__text(table, us);
	table__text(table, name);
	free(us);
}

struct table *report__fork_parts(const struct run *run, const struct report_options *options,
				 uint32_t group)
{
	const struct fork_cost *cost = cost_of(run, group);
	struct table *table;
	double rest;
	char *what;

	if (!cost || !cost->complete)
		return NULL;
	what = text__of("One fork, mean of the middle half (%" PRIu64 ") of %" PRIu64,
			cost->typical, cost->complete);
	table = new_table(run, options, group, what);
	free(what);
	table__column(table, "% time", ALIGN_RIGHT);
	table__column(table, "us", ALIGN_RIGHT);
	table__column(table, "part", ALIGN_LEFT);
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

static void add_spread(struct table *table, const struct spread_ns *spread, const char *name)
{
	const double values[] = {
		spread->count ? (double)spread->total / spread->count : 0,
		spread->min, spread->median, spread->p99, spread->max,
	};

	if (!spread->count)
		return;
	table__row(table);
	table__count(table, spread->count);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char *us = words__us(values[i]);

		table__text(table, us);
		free(us);
	}
	table__text(table, name);
}

struct table *report__fork_times(const struct run *run, const struct report_options *options,
				 uint32_t group)
{
	static const char *const headers[] = { "forks", "mean us", "min us", "median us", "p99 us",
					       "max us" };
	const struct fork_cost *cost = cost_of(run, group);
	struct table *table;

	if (!cost || !(cost->call.count || cost->whole.count))
		return NULL;
	table = new_table(run, options, group, "Time of forks");
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_RIGHT);
	table__column(table, "of", ALIGN_LEFT);
	table__rule(table);
	add_spread(table, &cost->call, "the call, in the parent");
	add_spread(table, &cost->whole, "from the call to the end of wait4");
	return table;
}

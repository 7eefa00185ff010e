// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

static void begin_line(struct table *table, uint64_t count, uint64_t total)
{
	table__row(table);
	if (total)
		table__format(table, "%.2f", 100.0 * count / total);
	else
		table__text(table, "");
	table__count(table, count);
}

/* Numbers of the actors, or blanks where a line has none. */
static void actors(struct table *table, const uint64_t by[ACTOR_COUNT])
{
	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		if (by && by[actor])
			table__count(table, by[actor]);
		else
			table__text(table, "");
	}
}

static void add_class(struct table *table, const struct faults *faults, enum fault_class class)
{
	uint64_t by[ACTOR_COUNT];

	if (!faults__class(faults, class))
		return;
	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		by[actor] = faults->by[actor][class];
	begin_line(table, faults__class(faults, class), faults->total);
	actors(table, by);
	table__text(table, fault_counters[class].header);
}

static void add_mark(struct table *table, const struct faults *faults, enum mark mark, bool classed)
{
	table__row(table);
	table__text(table, "");
	table__count(table, faults__mark(faults, mark));
	if (classed)
		actors(table, NULL);
	table__text(table, mark_counters[mark].header);
}

static void add_classes(struct table *table, const struct faults *faults)
{
	for (int class = 0; class < FAULT_COUNT; class++)
		add_class(table, faults, class);
	begin_line(table, faults__unattributed(faults), faults->total);
	actors(table, NULL);
	table__text(table, "unattributed");
	table__rule(table);
}

static void add_total(struct table *table, const struct faults *faults, bool classed)
{
	uint64_t by[ACTOR_COUNT];

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		by[actor] = faults__actor(faults, actor);
	begin_line(table, faults->total, faults->total);
	if (classed)
		actors(table, by);
	table__text(table, "total");
	table__rule(table);
}

struct table *report__faults(const struct run *run)
{
	bool classed = run->fault_level == FAULTS_CLASSES;
	struct table *table = table__new(classed ? "Page faults"
						 : "Page faults (classes not counted)");

	table__column(table, "% faults", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	for (int actor = 0; classed && actor < ACTOR_COUNT; actor++)
		table__column(table, actor_counters[actor].header, ALIGN_RIGHT);
	table__column(table, "class", ALIGN_LEFT);
	table__rule(table);
	if (classed)
		add_classes(table, &run->faults);
	add_total(table, &run->faults, classed);
	for (int mark = 0; mark < MARK_COUNT; mark++)
		if (classed || mark == MARK_MAJOR)
			add_mark(table, &run->faults, mark, classed);
	return table;
}

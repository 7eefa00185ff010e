// SPDX-License-Identifier: GPL-2.0-or-later
/* The phases of a start: time, calls, faults. */
#include <math.h>
#include <string.h>

#include "format/column.h"
#include "report/cells.h"
#include "report/start/start_report.h"

struct phase_line {
	struct cell us, share;
	uint64_t calls, errors, denied, faults, of_ldso, dirtied;
	const char *phase;
};

struct phase_table {
	bool denied, faults;
};

static const struct column phase_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct phase_line, us) },
	{ "%", COLUMN_NUMBER, CELL_OF(struct phase_line, share), .key = "share" },
	{ "calls", COUNT_OF(struct phase_line, calls), .unless_zero = true },
	{ "errors", COUNT_OF(struct phase_line, errors), .unless_zero = true },
	{ "denied", COUNT_OF(struct phase_line, denied), .unless_zero = true,
	  WHEN(struct phase_table, denied) },
	{ "faults", COUNT_OF(struct phase_line, faults), .unless_zero = true,
	  WHEN(struct phase_table, faults) },
	{ "by ld.so", COUNT_OF(struct phase_line, of_ldso), .unless_zero = true,
	  WHEN(struct phase_table, faults) },
	{ "dirtied", COUNT_OF(struct phase_line, dirtied), .unless_zero = true,
	  WHEN(struct phase_table, faults) },
	{ "phase", TEXT_OF(struct phase_line, phase) },
};

static struct phase_line line_of(const struct start *start, int phase)
{
	const struct start_sum *sum = &start->phases[phase];
	const double ns = sum->ns == ABSENT ? NAN : (double)sum->ns;

	return (struct phase_line){
		.us = cell__us(ns),
		.share = start->marks.end == ABSENT || isnan(ns)
				 ? cell__absent()
				 : cell__percent(ns, (double)start->marks.end),
		.calls = sum->calls,
		.errors = sum->errors,
		.denied = sum->denied,
		.faults = start_sum__faults(sum),
		.of_ldso = start_sum__faults_by(sum, ACTOR_LDSO),
		.dirtied = start_sum__dirtied(sum),
		.phase = start_phase_counters[phase].header,
	};
}

static void add_to(struct phase_line *all, const struct phase_line *line)
{
	all->calls += line->calls;
	all->errors += line->errors;
	all->denied += line->denied;
	all->faults += line->faults;
	all->of_ldso += line->of_ldso;
	all->dirtied += line->dirtied;
}

/* Faults without an event have no time; calls beyond the limit are only counted. */
static void add_unplaced(struct table *table, const struct start *start)
{
	const struct phase_line line = {
		.us = cell__absent(),
		.share = cell__absent(),
		.calls = start->beyond,
		.faults = start->unplaced,
		.phase = "in no phase: time not known",
	};

	if (start->unplaced || start->beyond)
		table__add(table, &line);
}

struct table *report__start_phases(const struct run *run, const struct report_options *options)
{
	const struct start *start = run->start;
	struct table *table = table__new("Phases of the start");
	struct phase_table about = { .faults = run__sees(run, SIGHT_PROCESS_FAULTS) };
	struct phase_line all = { .phase = "total" };

	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		about.denied |= start->phases[phase].denied > 0;
	TABLE_COLUMNS(table, phase_columns, &about);
	table__rule(table);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		const struct start_sum *sum = &start->phases[phase];
		struct phase_line line = line_of(start, phase);

		add_to(&all, &line);
		if (sum->ns != ABSENT || sum->calls || line.faults)
			table__add(table, &line);
	}
	add_unplaced(table, start);
	all.faults += start->unplaced;
	all.calls += start->beyond;
	all.us = cell__us(start->marks.end == ABSENT ? NAN : (double)start->marks.end);
	all.share = cell__blank();
	table__rule(table);
	table__add(table, &all);
	return table;
}

/* By class, and beside it by actor. */
struct fault_line {
	uint64_t by[FAULT_COUNT];
	const char *actor, *phase;
};

struct fault_table {
	bool has[FAULT_COUNT];
};

static const struct column fault_columns[] = {
	{ NULL, COUNT_OF(struct fault_line, by), .unless_zero = true, WHEN(struct fault_table, has),
	  .repeat = FAULT_COUNT, .header_of = header__class },
	{ "by", TEXT_OF(struct fault_line, actor) },
	{ "phase", TEXT_OF(struct fault_line, phase) },
};

static void find_classes(const struct start *start, struct fault_table *about)
{
	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			for (int class = 0; class < FAULT_COUNT; class++)
				about->has[class] |= start->phases[phase].faults[actor][class] > 0;
}

struct table *report__start_faults(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Page faults of the phases");
	struct fault_table about = { 0 };

	find_classes(run->start, &about);
	TABLE_COLUMNS(table, fault_columns, &about);
	table__rule(table);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		const struct start_sum *sum = &run->start->phases[phase];

		for (int actor = 0; actor < ACTOR_COUNT; actor++) {
			struct fault_line line = {
				.actor = actor_counters[actor].header,
				.phase = start_phase_counters[phase].header,
			};

			memcpy(line.by, sum->faults[actor], sizeof(line.by));
			if (start_sum__faults_by(sum, actor))
				table__add(table, &line);
		}
	}
	return table;
}

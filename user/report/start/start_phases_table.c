// SPDX-License-Identifier: GPL-2.0-or-later
/* The phases of a start: time, calls, faults. */
#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/shown.h"
#include "report/start/start_report.h"

enum { ROWS = 5 };

struct phase_line {
	struct cell us, share;
	uint64_t calls, errors, denied, faults, of_ldso, dirtied;
	const char *phase;
};

struct phase_table {
	bool faults;
};

static const struct column phase_columns[] = {
	{ "us", COLUMN_NUMBER, CELL_OF(struct phase_line, us) },
	{ "%", COLUMN_NUMBER, CELL_OF(struct phase_line, share), .key = "share" },
	{ "calls", COUNT_OF(struct phase_line, calls), .unless_zero = true },
	{ "errors", COUNT_OF(struct phase_line, errors), .unless_zero = true },
	{ "denied", COUNT_OF(struct phase_line, denied), .unless_zero = true, IF_ANY },
	{ "faults", COUNT_OF(struct phase_line, faults), .unless_zero = true, WHEN(struct phase_table, faults) },
	{ "by ld.so", COUNT_OF(struct phase_line, of_ldso), .unless_zero = true, WHEN(struct phase_table, faults),
	  .spare = 1 },
	{ "dirtied", COUNT_OF(struct phase_line, dirtied), .unless_zero = true, WHEN(struct phase_table, faults),
	  .spare = 2 },
	{ "phase", TEXT_OF(struct phase_line, phase) },
};

static struct phase_line line_of(const struct start *start, int phase)
{
	const struct start_sum *sum = &start->phases[phase];
	const double ns = sum->ns == ABSENT ? NAN : (double)sum->ns;

	return (struct phase_line){
		.us = cell__us(ns),
		.share = start->marks.end == ABSENT || isnan(ns) ? cell__absent()
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

static bool is_there(const struct start *start, int phase)
{
	const struct start_sum *sum = &start->phases[phase];

	return sum->ns != ABSENT || sum->calls || start_sum__faults(sum);
}

static uint64_t time_of(const struct start *start, int phase)
{
	return start->phases[phase].ns == ABSENT ? 0 : start->phases[phase].ns;
}

/* How many phases take longer; of equal ones the first counts as longer. */
static size_t place_of(const struct start *start, int phase)
{
	size_t place = 0;

	for (int other = 0; other < START_PHASE_COUNT; other++)
		if (is_there(start, other) && (time_of(start, other) > time_of(start, phase) ||
					       (time_of(start, other) == time_of(start, phase) && other < phase)))
			place++;
	return place;
}

static size_t count_phases(const struct start *start)
{
	size_t count = 0;

	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		count += is_there(start, phase);
	return count;
}

/* What is not shown one by one: with what is in no phase. */
static void add_others(struct table *table, const struct start *start, struct phase_line *others,
		       uint64_t ns, size_t count)
{
	autofree char *name = text__of("(%zu shorter ones)", count);

	others->phase = name;
	others->us = cell__us((double)ns);
	others->share = start->marks.end == ABSENT ? cell__absent()
						   : cell__percent((double)ns, (double)start->marks.end);
	others->faults += start->unplaced;
	others->calls += start->beyond;
	table__add(table, others);
}

/* The `most` longest phases, in order, and the total. */
static struct table *phases_of(const struct run *run, size_t most)
{
	const struct start *start = run->start;
	struct table *table = table__titled(text__of("Phases of the start, as traced"),
					    text__of("Phases of the start"));
	const struct phase_table about = { run__has(run, HAS_PROCESS_FAULTS) };
	struct phase_line all = { .phase = "total" }, others = { 0 };
	const size_t count = count_phases(start);
	uint64_t others_ns = 0;

	most = table__most(count, most);
	TABLE_COLUMNS(table, phase_columns, &about);
	table__rule(table);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		const struct phase_line line = line_of(start, phase);

		add_to(&all, &line);
		if (!is_there(start, phase))
			continue;
		if (place_of(start, phase) < most) {
			table__add(table, &line);
		} else {
			add_to(&others, &line);
			others_ns += time_of(start, phase);
		}
	}
	if (most < count)
		add_others(table, start, &others, others_ns, count - most);
	else
		add_unplaced(table, start);
	all.faults += start->unplaced;
	all.calls += start->beyond;
	all.us = cell__us(start->marks.end == ABSENT ? NAN : (double)start->marks.end);
	all.share = cell__blank();
	table__rule(table);
	table__add(table, &all);
	return table;
}

struct table *report__start_phases(const struct run *run, const struct report_options *options)
{
	return phases_of(run, SIZE_MAX);
}

void report__print_start_phases(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	if (!output->page) /* it has them below their picture */
		table__show(phases_of(run, room__of(options, ROWS, SIZE_MAX).rows), output);
}

/* By class, and beside it by actor. */
struct fault_line {
	uint64_t by[FAULT_COUNT];
	const char *actor, *phase;
};

static const struct column fault_columns[] = {
	{ NULL, COUNT_OF(struct fault_line, by), .unless_zero = true, IF_ANY, EACH_BY(fault_counters, header) },
	{ "by", TEXT_OF(struct fault_line, actor) },
	{ "phase", TEXT_OF(struct fault_line, phase) },
};

struct table *report__start_faults(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Page faults of the phases");

	TABLE_COLUMNS(table, fault_columns, NULL);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/start_rows.h"

#include <math.h>

#include "base/memory.h"
#include "base/text.h"

/* After the phases: what has no time and so lies in none, and all. */
enum { IN_NO_PHASE = START_PHASE_COUNT, IN_ALL, ROW_COUNT };

/* If calls are missing, the phases are unknown. */
static const struct start *start_of(const struct run *run)
{
	return run->start && !run->start->missed ? run->start : NULL;
}

/* NULL: this start has no such phase, or it is not one. */
static const struct start_sum *phase_of(const struct run *run, unsigned int index)
{
	const struct start *start = start_of(run);
	const struct start_sum *sum = start && index < START_PHASE_COUNT ? &start->phases[index]
									 : NULL;

	return sum && (sum->ns != ABSENT || sum->calls || start_sum__faults(sum)) ? sum : NULL;
}

static double time_of(const struct run *run, const struct measure_argument *argument)
{
	const struct start *start = start_of(run);
	const struct start_sum *sum = phase_of(run, argument->index);
	uint64_t ns = sum ? sum->ns : ABSENT;

	if (start && argument->index == IN_ALL)
		ns = start->marks.end;
	return ns == ABSENT ? NAN : (double)ns;
}

static double calls_of(const struct run *run, const struct measure_argument *argument)
{
	const struct start *start = start_of(run);
	const struct start_sum *sum = phase_of(run, argument->index);

	if (start && argument->index == IN_ALL)
		return (double)start__calls(start);
	if (start && argument->index == IN_NO_PHASE)
		return (double)start->beyond;
	return sum ? (double)sum->calls : NAN;
}

static double faults_of(const struct run *run, const struct measure_argument *argument)
{
	const struct start *start = start_of(run);
	const struct start_sum *sum = phase_of(run, argument->index);

	if (start && argument->index == IN_ALL)
		return (double)start->image_faults;
	if (start && argument->index == IN_NO_PHASE)
		return (double)start->unplaced;
	return sum ? (double)start_sum__faults(sum) : NAN;
}

/* The index is that of the phase times FAULT_COUNT, and the class. */
static double class_of(const struct run *run, const struct measure_argument *argument)
{
	const struct start_sum *sum = phase_of(run, argument->index / FAULT_COUNT);
	uint64_t faults = 0;

	for (int actor = 0; sum && actor < ACTOR_COUNT; actor++)
		faults += sum->faults[actor][argument->index % FAULT_COUNT];
	return sum ? (double)faults : NAN;
}

/* Of calls in no phase nobody knows which failed, of faults there, which made pages its own. */
static double sum_up(const struct run *run, unsigned int index,
		     uint64_t (*of)(const struct start_sum *sum))
{
	const struct start_sum *sum = phase_of(run, index);
	uint64_t all = 0;

	if (!start_of(run) || index != IN_ALL)
		return sum ? (double)of(sum) : NAN;
	for (int phase = 0; phase < START_PHASE_COUNT; phase++)
		all += of(&run->start->phases[phase]);
	return (double)all;
}

static uint64_t errors_of(const struct start_sum *sum)
{
	return sum->errors;
}

static double errors(const struct run *run, const struct measure_argument *argument)
{
	return sum_up(run, argument->index, errors_of);
}

static double dirtied(const struct run *run, const struct measure_argument *argument)
{
	return sum_up(run, argument->index, start_sum__dirtied);
}

static void add_section(struct comparison *comparison, enum compare_section section, measure_fn *of)
{
	static const char *const keys[] = { "in_no_phase", "total" };
	static const char *const headers[] = { "in no phase", "total" };

	for (unsigned int i = 0; i < ROW_COUNT; i++) {
		const struct counter *phase = i < START_PHASE_COUNT ? &start_phase_counters[i] : NULL;
		const struct measure_argument argument = { .index = i };
		struct compare_row *row = comparison__add_row(
			comparison, section,
			checked_strdup(phase ? phase->key : keys[i - START_PHASE_COUNT]),
			checked_strdup(phase ? phase->header : headers[i - START_PHASE_COUNT]), of,
			argument);

		if (section == SECTION_START_NS)
			comparison__add_ratios(comparison, row, of, argument);
	}
}

static bool occurs(const struct comparison *comparison, unsigned int index)
{
	const struct measure_argument argument = { .index = index };

	for (size_t i = 0; i < comparison->column_count; i++)
		for (size_t k = 0; k < comparison->columns[i].run_count; k++)
			if (class_of(comparison->columns[i].runs[k], &argument) > 0)
				return true;
	return false;
}

/* Most phases have few classes: as with system calls and errors, rows for what there is. */
static void add_classes(struct comparison *comparison)
{
	for (unsigned int i = 0; i < START_PHASE_COUNT * FAULT_COUNT; i++) {
		const struct counter *phase = &start_phase_counters[i / FAULT_COUNT];
		const struct counter *class = &fault_counters[i % FAULT_COUNT];

		if (!occurs(comparison, i))
			continue;
		comparison__add_row(comparison, SECTION_START_CLASSES,
				    text__of("%s %s", phase->key, class->key),
				    text__of("%s, %s", phase->header, class->header), class_of,
				    (struct measure_argument){ .index = i });
	}
}

static bool has_start(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		for (size_t k = 0; k < comparison->columns[i].run_count; k++)
			if (comparison->columns[i].runs[k]->start)
				return true;
	return false;
}

void comparison__add_starts(struct comparison *comparison)
{
	if (!has_start(comparison))
		return;
	add_section(comparison, SECTION_START_NS, time_of);
	add_section(comparison, SECTION_START_CALLS, calls_of);
	add_section(comparison, SECTION_START_ERRORS, errors);
	add_section(comparison, SECTION_START_FAULTS, faults_of);
	add_classes(comparison);
	add_section(comparison, SECTION_START_DIRTIED, dirtied);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What each phase of the start took and did, and what has no time and so lies in no phase. */
#include <math.h>
#include <stdlib.h>

#include "analysis/compare/collecting.h"
#include "base/text.h"

/* After the phases. */
enum { IN_NO_PHASE = START_PHASE_COUNT, IN_ALL };

static const enum compare_section sections[] = {
	SECTION_START_NS, SECTION_START_CALLS, SECTION_START_ERRORS, SECTION_START_FAULTS,
	SECTION_START_DIRTIED,
};

static double of_phase(const struct start_sum *sum, enum compare_section section)
{
	switch (section) {
	case SECTION_START_NS:
		return sum->ns == ABSENT ? NAN : (double)sum->ns;
	case SECTION_START_CALLS:
		return (double)sum->calls;
	case SECTION_START_ERRORS:
		return (double)sum->errors;
	case SECTION_START_FAULTS:
		return (double)start_sum__faults(sum);
	default:
		return (double)start_sum__dirtied(sum);
	}
}

/* Of calls in no phase nobody knows which failed, of faults there, which made pages its own. */
static double of_none(const struct start *start, enum compare_section section)
{
	return section == SECTION_START_CALLS ? (double)start->beyond
	       : section == SECTION_START_FAULTS ? (double)start->unplaced : NAN;
}

static double of_all(const struct start *start, enum compare_section section)
{
	double sum = 0;

	switch (section) {
	case SECTION_START_NS:
		return start->marks.end == ABSENT ? NAN : (double)start->marks.end;
	case SECTION_START_CALLS:
		return (double)start__calls(start);
	case SECTION_START_FAULTS:
		return (double)start->image_faults;
	default:
		for (int phase = 0; phase < START_PHASE_COUNT; phase++)
			sum += of_phase(&start->phases[phase], section);
		return sum;
	}
}

static void collect_classes(const struct collecting *collecting, int phase)
{
	const struct start_sum *sum = &collecting->run->start->phases[phase];

	for (int class = 0; class < FAULT_COUNT; class++) {
		uint64_t faults = 0;

		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			faults += sum->faults[actor][class];
		collecting__add(collecting, (struct run_fact){
			.section = SECTION_START_CLASSES,
			.order = phase * FAULT_COUNT + class,
			.key = text__of("%s %s", start_phase_counters[phase].key,
					fault_counters[class].key),
			.name = text__of("%s, %s", start_phase_counters[phase].header,
					 fault_counters[class].header),
			.value = (double)faults,
		});
	}
}

/* Is there such a phase? */
static bool has_phase(const struct start_sum *sum)
{
	return sum->ns != ABSENT || sum->calls || start_sum__faults(sum);
}

/* If calls are missing, the phases are unknown. */
void collect_start(const struct collecting *collecting)
{
	const struct start *start = collecting->run->start;
	const bool known = !start->missed;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		for (int phase = 0; phase < START_PHASE_COUNT; phase++)
			collecting__count(collecting, sections[i], phase, start_phase_counters[phase].key,
					  start_phase_counters[phase].header,
					  known && has_phase(&start->phases[phase])
						  ? of_phase(&start->phases[phase], sections[i]) : NAN);
		collecting__count(collecting, sections[i], IN_NO_PHASE, "in_no_phase", "in no phase",
				  known ? of_none(start, sections[i]) : NAN);
		collecting__count(collecting, sections[i], IN_ALL, "total", "total",
				  known ? of_all(start, sections[i]) : NAN);
	}
	for (int phase = 0; phase < START_PHASE_COUNT && known; phase++)
		if (has_phase(&start->phases[phase]))
			collect_classes(collecting, phase);
}

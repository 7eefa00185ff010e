// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/start_saving.h"

#include <math.h>

#include "advice/start/start_cost.h"
#include "analysis/start/object_faults.h"
#include "base/text.h"

void start_saving__add_faults(struct saving *saving, const struct start_subject *subject,
			      start_row_fn *belongs, const void *context)
{
	const struct anatomy *anatomy = subject->run->anatomy;
	const struct subject of_roots = {
		.run = subject->run,
		.anatomy = anatomy,
		.index = NO_GROUP,
		.sample = anatomy__sample(anatomy, NO_GROUP),
	};

	const double high = saving->high, traced = saving->measured_ns;

	for (size_t i = 0; start__knows_faults(subject->run) && i < anatomy->row_count; i++)
		if (anatomy->rows[i].group == NO_GROUP && belongs(&anatomy->rows[i], context))
			saving__add(saving, &of_roots, &anatomy->rows[i]);
	saving->high = fmax(saving->high, high + saving->measured_ns - traced);
}

void start_saving__widen_by_faults(struct saving *saving, const struct start_subject *subject,
				   start_row_fn *belongs, const void *context)
{
	struct saving more = { 0 };

	start_saving__add_faults(&more, subject, belongs, context);
	saving->beyond += more.faults;
	saving->high += more.high;
	saving->unknown |= more.unknown;
}

void start_saving__widen_by_layout(struct saving *saving)
{
	enum { FAULTS = 3 };

	saving->varying += FAULTS;
}

bool start_row__reads_relocations(const struct anatomy_row *row)
{
	static const char *const tables[] = { ".rela.dyn", ".rel.dyn", ".relr.dyn", NULL };

	return row->class == FAULT_FILE_MAP && text__is_any(row->place.section, tables);
}

/* Calls that took so long as traced: no more than that, no less than as many of the least call. */
static void add_calls(struct saving *saving, const struct start_subject *subject, uint64_t calls, uint64_t ns)
{
	const double least = subject->syscall->known ? subject->syscall->low * (double)calls : 0;

	saving__add_range(saving, fmin(least, (double)ns), (double)ns, (double)ns);
}

static bool is_on(const struct anatomy_row *row, const void *object)
{
	return start_object__has_row(object, row);
}

void start_saving__add_calls(struct saving *saving, const struct start_subject *subject,
			     const struct start_object *object)
{
	if (object->calls != ABSENT)
		add_calls(saving, subject, object->calls, object->ns);
}

void start_saving__add_object(struct saving *saving, const struct start_subject *subject,
			      const struct start_object *object)
{
	start_saving__add_calls(saving, subject, object);
	if (object->object != NO_OBJECT)
		start_saving__add_faults(saving, subject, is_on, object);
}

static double computing(const struct start *start, enum start_phase phase)
{
	const struct start_sum *sum = &start->phases[phase];
	double ns = sum->ns == ABSENT ? 0 : (double)sum->ns;

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		ns -= (double)sum->fault_ns[actor];
	for (size_t i = 0; i < start->call_count; i++)
		if (start->calls[i].phase == phase && start->calls[i].ns != ABSENT)
			ns -= (double)start->calls[i].ns;
	return fmax(ns, 0);
}

/* How much of its time as traced ld.so takes without tracing. */
static double untraced_part(const struct start *start)
{
	const double untraced = start->untraced[START_PART_LDSO];
	const struct start_marks *marks = &start->marks;

	if (isnan(untraced) || marks->entry == ABSENT || marks->entry <= marks->first)
		return 0;
	return fmin(untraced / (double)(marks->entry - marks->first), 1);
}

void start_saving__add_computing(struct saving *saving, const struct start *start, enum start_phase phase, double share)
{
	const double ns = computing(start, phase) * share;

	saving__add_range(saving, 0, ns * untraced_part(start), ns);
}

enum start_phase start_saving__relocates(const struct start *start)
{
	return start->phases[START_RELOCATE].ns == ABSENT ? START_LIBC : START_RELOCATE;
}

void start_saving__widen_by_relative(struct saving *saving, const struct start *start, uint64_t relative)
{
	uint64_t all = 0;

	for (size_t i = 0; i < start->object_count; i++)
		for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
			if (start->objects[i].relocations[kind] != ABSENT)
				all += start->objects[i].relocations[kind];
	saving->high += computing(start, start_saving__relocates(start)) * (double)relative / (double)all;
}

/* Whose objects go, and what the rest is. */
struct linking {
	const struct start *start;
	start_object_fn *goes;
	const void *context;
};

static bool goes_with(const struct linking *linking, const struct anatomy_row *row)
{
	for (size_t i = 0; i < linking->start->object_count; i++) {
		const struct start_object *object = &linking->start->objects[i];

		if (start_object__has_row(object, row) && linking->goes(linking->start, object, linking->context))
			return true;
	}
	return false;
}

/* Where ld.so looks symbols up. */
static bool is_for_symbols(const struct anatomy_row *row)
{
	static const char *const sections[] = { ".gnu.hash", ".hash", ".dynsym", ".dynstr",
						".gnu.version", ".gnu.version_d", NULL };

	return text__is_any(row->place.section, sections);
}

/* Not on the objects themselves, whose faults are counted. */
static bool may_go(const struct anatomy_row *row, const void *context)
{
	const struct linking *linking = context;

	if (goes_with(linking, row))
		return false;
	if (row->actor == ACTOR_PROGRAM)
		return anatomy_row__since(row) < (double)linking->start->marks.entry;
	return row->actor == ACTOR_LDSO && (!place__has_object(&row->place) || is_for_symbols(row));
}

static uint64_t words_of(const struct start_object *object)
{
	uint64_t words = 0;

	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		if (object->relocations[kind] != ABSENT)
			words += object->relocations[kind];
	return words;
}

void start_saving__add_linking(struct saving *saving, const struct start_subject *subject,
			       start_object_fn *goes, const void *context)
{
	static const enum start_phase phases[] = { START_MAP, START_RELOCATE, START_INIT };
	const struct start *start = subject->start;
	const struct linking linking = { start, goes, context };
	double objects = 0, words = 0, all = 0, share;

	for (size_t i = 0; i < start->object_count; i++) {
		const struct start_object *object = &start->objects[i];
		const bool is_gone = goes(start, object, context);

		objects += is_gone;
		words += is_gone ? (double)words_of(object) : 0;
		all += (double)words_of(object);
	}
	share = objects / (double)start->object_count;
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		start_saving__add_computing(saving, start, phases[i], share);
	if (all > 0 && words / all > share)
		saving->high += computing(start, START_RELOCATE) * (words / all - share);
	start_saving__widen_by_faults(saving, subject, may_go, &linking);
	start_saving__widen_by_layout(saving);
}

void start_saving__predict(const struct saving *saving, const struct start_subject *subject, struct advice *advice)
{
	saving__predict(saving, advice);
	if (!start__knows_faults(subject->run))
		advice->predicted_faults = (struct estimate){ 0 };
}

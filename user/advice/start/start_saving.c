// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/start_saving.h"

#include <math.h>

#include "advice/start/start_cost.h"
#include "analysis/start/start_objects.h"

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

	for (size_t i = 0; start__knows_faults(subject->run) && i < anatomy->row_count; i++)
		if (anatomy->rows[i].group == NO_GROUP && belongs(&anatomy->rows[i], context))
			saving__add(saving, &of_roots, &anatomy->rows[i]);
}

/* Calls that took so long as traced: no more than that, no less than as many of the least call. */
static void add_calls(struct saving *saving, const struct start_subject *subject, uint64_t calls,
		      uint64_t ns)
{
	const double least = subject->syscall->known ? subject->syscall->low * (double)calls : 0;

	saving__add_range(saving, fmin(least, (double)ns), (double)ns, (double)ns);
}

static bool is_on(const struct anatomy_row *row, const void *object)
{
	return start_object__has_row(object, row);
}

void start_saving__add_object(struct saving *saving, const struct start_subject *subject,
			      const struct start_object *object)
{
	if (object->calls != ABSENT)
		add_calls(saving, subject, object->calls, object->ns);
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

void start_saving__add_computing(struct saving *saving, const struct start *start,
				 enum start_phase phase, double share)
{
	const double ns = computing(start, phase) * share;

	saving__add_range(saving, 0, ns * untraced_part(start), ns);
}

enum start_phase start_saving__relocates(const struct start *start)
{
	return start->phases[START_RELOCATE].ns == ABSENT ? START_LIBC : START_RELOCATE;
}

void start_saving__widen_by_relative(struct saving *saving, const struct start *start,
				     uint64_t relative)
{
	uint64_t all = 0;

	for (size_t i = 0; i < start->object_count; i++)
		for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
			if (start->objects[i].relocations[kind] != ABSENT)
				all += start->objects[i].relocations[kind];
	saving->high += computing(start, start_saving__relocates(start)) * (double)relative /
			(double)all;
}

void start_saving__add_linking(struct saving *saving, const struct start *start, uint64_t objects)
{
	static const enum start_phase phases[] = { START_MAP, START_RELOCATE, START_INIT };
	const double share = (double)objects / (double)start->object_count;

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		start_saving__add_computing(saving, start, phases[i], share);
}

char *start_saving__time(const struct saving *saving)
{
	const struct start_cost cost = { .ns = (uint64_t)saving->ns };

	return start_cost__time(&cost);
}

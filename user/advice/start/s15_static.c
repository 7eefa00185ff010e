// SPDX-License-Identifier: GPL-2.0-or-later
/* S15: most of a short start is ld.so, which a static program does not need. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_saving.h"
#include "analysis/start/object_faults.h"
#include "base/quantity.h"
#include "base/text.h"

/* Of more libraries hardly anybody has all as archives; S10 is about these. */
enum { LIBRARIES_MOST = 9 };

static bool is_largest_part(const struct start *start)
{
	bool largest = true;

	for (int part = 0; part < START_PART_COUNT; part++) /* false with NAN */
		largest &= start->untraced[START_PART_LDSO] >= start->untraced[part];
	return largest;
}

static bool goes(const struct start *start, const struct start_object *object, const void *context)
{
	return object->role != START_IS_PROGRAM;
}

/* It preloads or opens some, or needs what does: modules of the name service and of character sets. */
static bool needs_ldso(const struct start *start)
{
	for (size_t i = 0; i < start->object_count; i++)
		if (start->objects[i].role == START_IS_LIBRARY && !start->objects[i].needed_by)
			return true;
	for (size_t i = 0; i < start->call_count; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->reason == REASON_NSS || call->reason == REASON_GCONV ||
		    (call->reason == REASON_OPEN_LIBRARY && call->begin_ns >= start->marks.entry))
			return true;
	}
	return false;
}

static bool is_on(const struct start *start, const struct anatomy_row *row, enum start_role role)
{
	for (size_t i = 0; i < start->object_count; i++)
		if (start->objects[i].role == role && start_object__has_row(&start->objects[i], row))
			return true;
	return false;
}

/* Of its own code and data, and of its memory. */
static bool is_of_ldso(const struct anatomy_row *row, const void *start)
{
	return is_on(start, row, START_IS_LDSO) ||
	       (row->actor == ACTOR_LDSO && !place__has_object(&row->place) &&
		anatomy_row__since(row) < (double)((const struct start *)start)->marks.entry);
}

/* What is used of them is in a static program, too, with other pages around it. */
static bool is_on_library(const struct anatomy_row *row, const void *start)
{
	return is_on(start, row, START_IS_LIBRARY);
}

static void predict(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	struct saving saving = { 0 }, own = { 0 };

	for (size_t i = 0; i < start->object_count; i++)
		if (goes(start, &start->objects[i], NULL))
			start_saving__add_calls(&saving, subject, &start->objects[i]);
	start_saving__add_faults(&saving, subject, is_of_ldso, start);
	start_saving__widen_by_faults(&saving, subject, is_on_library, start);
	start_saving__add_computing(&saving, start, START_SEARCH, 1);
	start_saving__add_linking(&saving, subject, goes, NULL);
	/* A static program sets itself up, which takes less. */
	start_saving__add_computing(&own, start, START_SETUP, 1);
	saving.high += own.high;
	start_saving__predict(&saving, subject, advice);
}

bool rule__s15_static(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	uint64_t libraries = 0;

	for (size_t i = 0; i < start->object_count; i++)
		libraries += start->objects[i].role == START_IS_LIBRARY;
	if (!libraries || libraries > LIBRARIES_MOST || !is_largest_part(start) || needs_ldso(start))
		return false;
	advice->evidence = text__of(
		"ld.so is the largest part of the start: %s, not traced. It finds, maps and relocates %s. Nothing "
		"is loaded later (dlopen).",
		quantity__time(start->untraced[START_PART_LDSO]).text,
		quantity__count(libraries, "library", "libraries").text);
	advice->action = text__of(
		"If its libraries are there as archives (.a), link it with -static, or with -static-pie, which keeps "
		"addresses random. The program is larger then, and shares no library with others.");
	predict(subject, advice);
	return true;
}

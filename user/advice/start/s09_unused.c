// SPDX-License-Identifier: GPL-2.0-or-later
/* S9: libraries that are mapped, relocated and initialised, and that nobody uses. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_saving.h"
#include "base/quantity.h"
#include "base/text.h"

enum { NAMED_MOST = 6 };

static bool is_unbound(const struct start_object *object)
{
	/* A library that was preloaded is there for what it does, not for its symbols. */
	return object->role == START_IS_LIBRARY && object->bound_to == 0 && object->needed_by;
}

/* Is it one of these, or there because of one of these? */
static bool would_go(const struct start *start, const struct start_object *object, const void *context)
{
	while (!is_unbound(object)) {
		if (object->through == NO_OBJECT)
			return false;
		object = &start->objects[object->through];
	}
	return true;
}

bool rule__s09_unused(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	struct name_list names = { .most = NAMED_MOST };
	struct saving saving = { 0 };
	uint64_t unbound = 0, others = 0;
	char *list;

	for (size_t i = 0; i < start->object_count; i++) {
		const struct start_object *object = &start->objects[i];

		if (!would_go(start, object, NULL))
			continue;
		start_saving__add_object(&saving, subject, object);
		others += !is_unbound(object);
		unbound += is_unbound(object);
		if (is_unbound(object))
			name_list__add(&names, text__file_name(object->path));
	}
	list = name_list__finish(&names);
	if (!list)
		return false;
	advice->evidence = text__of(
		"Libraries that an object needs (DT_NEEDED), but that no symbol of another object "
		"is bound to, called or not: %" PRIu64 " (%s). Others that only these load: "
		"%" PRIu64 ". Time of the calls that map them all (as traced) and of the page faults on "
		"them (as calibrated): %s.", unbound, list, others,
		quantity__time(saving.ns).text);
	advice->action = text__of(
		"Link the objects that need them with -Wl,--as-needed before the libraries. Keep those "
		"that are there for their constructors, or that dlsym searches; also libpthread, "
		"libdl and the like, if the program has to run with a glibc before 2.34.");
	start_saving__add_linking(&saving, subject, would_go, NULL);
	start_saving__predict(&saving, subject, advice);
	free(list);
	return true;
}

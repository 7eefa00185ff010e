// SPDX-License-Identifier: GPL-2.0-or-later
/* W3: Python copies, and it is not the collector. */
#include "advice/workers/rules_workers.h"
#include "base/autofree.h"
#include "base/quantity.h"

/* As the watch saw it. */
static char *seen(const struct pool_subject *subject)
{
	const double page_bytes = subject->state->machine.page_bytes;

	return text__of(
		"While it was watched, Python copied %s in workers: %s by its collector, and %s by code without a "
		"name. What remains are reference counts, which CPython writes whenever it uses an object, and "
		"writes of the program itself; which of them is unknown. ",
		quantity__size(subject->copied * page_bytes).text, quantity__size(subject->collected * page_bytes).text,
		quantity__size(subject->unnamed * page_bytes).text);
}

/* As their contents show. */
static char *held(const struct pool_subject *subject)
{
	const double page_bytes = subject->state->machine.page_bytes;

	return text__of(
		"%s of the workers' copies are like the master's page and hold objects of Python. %s of these "
		"hold only such as the collector does not write to (str, int, bytes): what uses an object "
		"writes its reference count.", quantity__size(subject__object_bytes(subject)).text,
		quantity__size(subject->sum->plain_objects * page_bytes).text);
}

/* By their contents all copies with objects; else what the watch saw. */
static double copies_of(const struct pool_subject *subject)
{
	const uint64_t objects = subject__object_bytes(subject);
	const double page_bytes = subject->state->machine.page_bytes;

	if (subject__shows_reading(subject))
		return objects;
	return (subject->copied - subject->collected - subject->unnamed) * page_bytes;
}

bool rule__w03_counts(const struct pool_subject *subject, struct advice *advice)
{
	const bool was_seen = subject__clears_collector(subject), is_held = subject__shows_reading(subject);
	autofree char *watch = was_seen ? seen(subject) : NULL, *contents = is_held ? held(subject) : NULL;

	if (!subject->python || !(was_seen || is_held))
		return false;
	advice->evidence = text__of("%s%s", watch ? watch : "", contents ? contents : "");
	advice->action = text__of(
		"Keep large data in few objects: bytes with an array of offsets, array, numpy or a mapped file, not "
		"lists of many small objects, whose reference counts are written when they are read. gc.freeze() does "
		"not help against that.");
	advice->predicted_bytes = saving__up_to(copies_of(subject));
	return true;
}

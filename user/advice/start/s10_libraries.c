// SPDX-License-Identifier: GPL-2.0-or-later
/* S10: each library costs its calls and faults; some bring many others along. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advice/start/start_saving.h"
#include "base/quantity.h"
#include "base/text.h"

/* Few libraries are no story. */
enum { LIBRARIES_LEAST = 10 };

static bool comes_through(const struct start *start, uint32_t object, uint32_t way)
{
	while (object != NO_OBJECT && object != way)
		object = start->objects[object].through;
	return object == way;
}

static bool goes_with(const struct start *start, const struct start_object *object, const void *root)
{
	return comes_through(start, (uint32_t)(object - start->objects), *(const uint32_t *)root);
}

/* What an object costs with those that come only through it. */
struct branch {
	uint32_t root;
	uint64_t libraries; /* with the root */
	struct saving saving;
};

static struct branch branch_of(const struct start_subject *subject, uint32_t root)
{
	struct branch branch = { .root = root };

	for (uint32_t i = 0; i < subject->start->object_count; i++) {
		if (!comes_through(subject->start, i, root))
			continue;
		branch.libraries++;
		start_saving__add_object(&branch.saving, subject, &subject->start->objects[i]);
	}
	return branch;
}

/* The C library, by whatever name, serves all: it does not go. */
static bool is_libc(const struct start_object *object)
{
	return !strncmp(text__file_name(object->path), "libc.", strlen("libc."));
}

/* The most expensive one that loads at least one other. */
static struct branch find_branch(const struct start_subject *subject)
{
	struct branch costliest = { .root = NO_OBJECT };

	for (uint32_t i = 1; i < subject->start->object_count; i++) {
		const struct start_object *object = &subject->start->objects[i];
		struct branch branch;

		if (object->role != START_IS_LIBRARY || is_libc(object))
			continue;
		branch = branch_of(subject, i);
		if (branch.libraries > 1 && branch.saving.ns > costliest.saving.ns)
			costliest = branch;
	}
	return costliest;
}

bool rule__s10_libraries(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	struct branch branch = find_branch(subject);
	struct saving all = { 0 };
	uint64_t libraries = 0, calls = 0;
	const char *name;
	char *costliest;

	for (size_t i = 0; i < start->object_count; i++) {
		const struct start_object *object = &start->objects[i];

		if (object->role != START_IS_LIBRARY || is_libc(object))
			continue;
		libraries++;
		calls += object->calls == ABSENT ? 0 : object->calls;
		start_saving__add_object(&all, subject, object);
	}
	if (libraries < LIBRARIES_LEAST || branch.root == NO_OBJECT)
		return false;
	name = text__file_name(start->objects[branch.root].path);
	costliest = text__of("%s %s",
			     2 * branch.saving.ns > all.ns ? "Most of it comes with"
							   : "Of those that bring others, the one that costs most is",
			     name);
	advice->evidence = text__of(
		"Libraries beside the C library: %" PRIu64 ", with %" PRIu64 " calls that map them "
		"(as traced) and %.0f page faults on them (as calibrated): %s, %s each. %s: "
		"%" PRIu64 " more are loaded only for it, together %s.",
		libraries, calls, all.faults, quantity__time(all.ns).text,
		quantity__time(all.ns / (double)libraries).text, costliest,
		branch.libraries - 1, quantity__time(branch.saving.ns).text);
	advice->action = text__of(
		"If most runs do not use %s, load it by dlopen when it is needed, or build without it; "
		"else link it, or the libraries behind it, statically. Prelinking no longer helps: "
		"glibc 2.36 and later ignore it.", name);
	start_saving__add_linking(&branch.saving, subject, goes_with, &branch.root);
	start_saving__predict(&branch.saving, subject, advice);
	free(costliest);
	return true;
}

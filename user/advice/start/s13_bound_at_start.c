// SPDX-License-Identifier: GPL-2.0-or-later
/* S13: what is linked with -z now has all its symbols looked up before it runs. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_saving.h"
#include "base/autofree.h"
#include "base/text.h"

/* A thousand look-ups take about as long as mapping two libraries; fewer are no story. */
enum { SLOTS_LEAST = 1000, NAMED_MOST = 4 };

static bool is_bound_at_start(const struct start_object *object)
{
	return object->role != START_IS_LDSO && !object->is_lazy && object->relocations[RELOC_JUMP_SLOT] != ABSENT &&
	       object->relocations[RELOC_JUMP_SLOT];
}

/* Words that take a look-up when the object is relocated. */
static uint64_t looked_up(const struct start_object *object)
{
	static const enum relocation_kind kinds[] = { RELOC_GLOB_DAT, RELOC_COPY, RELOC_TLS, RELOC_OTHER };
	uint64_t words = is_bound_at_start(object) ? object->relocations[RELOC_JUMP_SLOT] : 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (object->relocations[kinds[i]] != ABSENT)
			words += object->relocations[kinds[i]];
	return words;
}

bool rule__s13_bound_at_start(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	struct name_list names = { .most = NAMED_MOST };
	struct saving saving = { 0 };
	uint64_t bound = 0, all = 0;
	autofree char *list = NULL;

	for (size_t i = 0; i < start->object_count; i++) {
		const struct start_object *object = &start->objects[i];

		all += looked_up(object);
		if (!is_bound_at_start(object))
			continue;
		bound += object->relocations[RELOC_JUMP_SLOT];
		name_list__add(&names, text__file_name(object->path));
	}
	list = name_list__finish(&names);
	/* Other dynamic linkers always bind at once. */
	if (!list || bound < SLOTS_LEAST || !start_subject__has_glibc(subject))
		return false;
	advice->evidence = text__of(
		"Linked with -z now: %s. So ld.so looks up all functions that they may call before "
		"main(): %" PRIu64 ", of %" PRIu64 " look-ups in all; which are called later is "
		"unknown.", list, bound, all);
	advice->action = text__of(
		"-z now protects the table of these addresses (full RELRO), and children of a server "
		"inherit it bound: keep it there. For a command that ends soon and reads no untrusted "
		"input, link with -Wl,-z,lazy.");
	start_saving__add_computing(&saving, start, START_RELOCATE, (double)bound / (double)all);
	/* Look-ups alone: their faults are for the pages of others, too. */
	advice->predicted_ns = estimate__of(saving.ns);
	estimate__widen(&advice->predicted_ns, 0, saving.high);
	return true;
}

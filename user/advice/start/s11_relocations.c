// SPDX-License-Identifier: GPL-2.0-or-later
/* S11: long tables of relative relocations, which DT_RELR would make short. */
#include <inttypes.h>
#include <stdlib.h>

#include "advice/start/start_saving.h"
#include "analysis/start/object_faults.h"
#include "base/quantity.h"
#include "base/text.h"

/* 10,000 entries are 240 KB, four faults: packing them saved 5 to 17 us. Of 1,000 nothing shows. */
enum { RELATIVE_LEAST = 10000, ENTRY_BYTES = 24, NAMED_MOST = 3 };

/* The table is read from its beginning to its end. */
static bool reads_table(const struct anatomy_row *row, const void *object)
{
	return start_object__has_row(object, row) && start_row__reads_relocations(row);
}

static uint64_t relative_of(const struct start_object *object)
{
	const uint64_t count = object->relocations[RELOC_RELATIVE];

	return count == ABSENT || count < RELATIVE_LEAST ? 0 : count;
}

/* Of all objects, of kinds from one to another. */
static uint64_t sum_of(const struct start *start, int first, int last)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < start->object_count; i++)
		for (int kind = first; kind <= last; kind++)
			if (start->objects[i].relocations[kind] != ABSENT)
				sum += start->objects[i].relocations[kind];
	return sum;
}

static char *evidence_of(const struct start *start, uint64_t relative, const char *names)
{
	const enum start_phase where = start_saving__relocates(start);
	const struct start_sum *phase = &start->phases[where];

	return text__of(
		"Relative relocations in tables of %d bytes each: %" PRIu64 " (%s), %s to "
		"read. All relocations: %" PRIu64 " relative, %" PRIu64 " packed (RELR), %" PRIu64
		" symbolic, %" PRIu64 " IRELATIVE, %" PRIu64 " copies. Phase %s: %s as traced, "
		"%" PRIu64 " page faults, %" PRIu64 " pages dirtied.", ENTRY_BYTES, relative, names,
		quantity__size(relative * ENTRY_BYTES).text,
		sum_of(start, RELOC_RELATIVE, RELOC_RELATIVE),
		sum_of(start, RELOC_RELR, RELOC_RELR),
		sum_of(start, RELOC_GLOB_DAT, RELOC_JUMP_SLOT) + sum_of(start, RELOC_TLS, RELOC_OTHER),
		sum_of(start, RELOC_IRELATIVE, RELOC_IRELATIVE),
		sum_of(start, RELOC_COPY, RELOC_COPY),
		start_phase_counters[where].header,
		quantity__time((double)phase->ns).text, start_sum__faults(phase),
		start_sum__dirtied(phase));
}

bool rule__s11_relocations(const struct start_subject *subject, struct advice *advice)
{
	const struct start *start = subject->start;
	struct name_list names = { .most = NAMED_MOST };
	struct saving saving = { 0 };
	uint64_t relative = 0;
	char *list;

	for (size_t i = 0; i < start->object_count; i++) {
		const struct start_object *object = &start->objects[i];

		if (!relative_of(object))
			continue;
		relative += relative_of(object);
		start_saving__add_faults(&saving, subject, reads_table, object);
		name_list__add(&names, text__file_name(object->path));
	}
	list = name_list__finish(&names);
	if (!list)
		return false;
	advice->evidence = evidence_of(start, relative, list);
	advice->action = text__of(
		"Link them with -Wl,-z,pack-relative-relocs (binutils 2.38, glibc 2.36; lld: "
		"--pack-dyn-relocs=relr): the tables shrink to a tenth or less. That makes files "
		"shorter and saves reading them, nothing else: ld.so still relocates the same words and "
		"dirties the same pages. For fewer pages, use fewer pointers in initialised data: "
		"offsets, or tables that are made when they are needed.");
	start_saving__widen_by_layout(&saving);
	/* A long table also passes through the caches. */
	start_saving__widen_by_relative(&saving, start, relative);
	start_saving__predict(&saving, subject, advice);
	free(list);
	return true;
}

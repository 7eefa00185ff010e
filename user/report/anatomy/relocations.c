// SPDX-License-Identifier: GPL-2.0-or-later
/* What the objects of a program ask of the dynamic linker. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

/* Types that no object has would only push the others off the screen. */
static bool is_used(const struct anatomy *anatomy, enum relocation_kind kind)
{
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		uint64_t count = anatomy->bindings[i].relocations[kind];

		if (count && count != ABSENT)
			return true;
	}
	return false;
}

static void add_object(struct table *table, const struct run *run,
		       const struct binding_object *binding, bool full)
{
	char *object = words__object(run, binding->object, full);

	table__row(table);
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++) {
		if (!full && !is_used(run->anatomy, kind))
			continue;
		if (full || binding->relocations[kind])
			table__count(table, binding->relocations[kind]);
		else
			table__text(table, "");
	}
	if (binding->relro_end > binding->relro_start)
		table__format(table, "%" PRIu64, binding->relro_end - binding->relro_start);
	else
		table__text(table, full ? "0" : "none");
	table__text(table, binding->lazy ? "lazy" : "now");
	table__text(table, object);
	free(object);
}

/* Whether a file has been told already: it may have been in several parents. */
static bool is_repeated(const struct anatomy *anatomy, size_t which)
{
	const struct binding_object *binding = &anatomy->bindings[which];

	for (size_t i = 0; i < which; i++)
		if (anatomy->bindings[i].object == binding->object &&
		    anatomy->bindings[i].lazy == binding->lazy)
			return true;
	return false;
}

struct table *report__relocations(const struct run *run, const struct report_options *options)
{
	const struct anatomy *anatomy = run->anatomy;
	bool full = options->csv;
	struct table *table;

	if (!anatomy->binding_count)
		return NULL;
	table = table__new("Relocations");
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		if (full || is_used(anatomy, kind))
			table__column(table, relocation_keys[kind], ALIGN_RIGHT);
	table__column(table, "RELRO bytes", ALIGN_RIGHT);
	table__column(table, "binding", ALIGN_LEFT);
	table__column(table, "object", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < anatomy->binding_count; i++)
		if (!is_repeated(anatomy, i))
			add_object(table, run, &anatomy->bindings[i], full);
	return table;
}

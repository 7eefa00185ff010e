// SPDX-License-Identifier: GPL-2.0-or-later
/* What the objects of a program ask of the dynamic linker. */
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/cells.h"

static struct cell relro_bytes(const void *subject, const void *row, int index)
{
	const struct binding_object *binding = row;

	if (binding->relro_end > binding->relro_start)
		return cell__count(binding->relro_end - binding->relro_start);
	return cell__text("none");
}

static struct cell binding_way(const void *subject, const void *row, int index)
{
	return cell__text(((const struct binding_object *)row)->lazy ? "lazy" : "now");
}

/* Types that no object has are left out, to save columns. */
static const struct column relocation_columns[] = {
	{ NULL, COUNT_OF(struct binding_object, relocations), .unless_zero = true, IF_ANY, EACH_OF(relocation_keys) },
	{ "RELRO bytes", COLUMN_COUNT, .cell = relro_bytes },
	{ "binding", COLUMN_TEXT, .cell = binding_way },
	{ "object", OBJECT_OF(struct binding_object, object) },
};

/* Does an earlier row show this file? Several parents may have had it. */
static bool is_repeated(const struct anatomy *anatomy, size_t which)
{
	const struct binding_object *binding = &anatomy->bindings[which];

	for (size_t i = 0; i < which; i++)
		if (anatomy->bindings[i].object == binding->object && anatomy->bindings[i].lazy == binding->lazy)
			return true;
	return false;
}

struct table *report__relocations(const struct run *run, const struct report_options *options)
{
	struct table *table;

	if (!run->anatomy->binding_count)
		return NULL;
	table = table__new("Relocations");
	TABLE_COLUMNS(table, relocation_columns, run);
	table__rule(table);
	for (size_t i = 0; i < run->anatomy->binding_count; i++)
		if (!is_repeated(run->anatomy, i))
			table__add(table, &run->anatomy->bindings[i]);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the dynamic linker did to each object of a program, and to which of its pages. */
#include "format/column.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/cells.h"

/* A program calls others: no caller of its own is to be expected. */
static bool is_program(const struct run *run, const struct binding_object *binding)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct layout *layout;
	const struct object *object;
	const struct exe *exe;

	if (binding->layout >= anatomy->layout_count || binding->object >= anatomy->object_count)
		return false;
	layout = &anatomy->layouts[binding->layout];
	if (layout->exe >= run->exe_count)
		return false;
	object = &anatomy->objects[binding->object];
	exe = &run->exes[layout->exe];
	return exe->ino == object->ino && exe->dev == object->dev;
}

/* Were the same programs the parents of several groups? */
static bool has_groups(const struct anatomy *anatomy)
{
	for (size_t i = 1; i < anatomy->layout_count; i++)
		if (anatomy->layouts[i].group != anatomy->layouts[0].group)
			return true;
	return false;
}

/* A static program has no slots, and ld.so writes to none of its pages. */
static bool says_something(const struct binding_object *binding)
{
	return binding->startup_pages || binding->child_pages || binding->slots_bound ||
	       binding->slots_unbound || binding->bound_to || binding->data_to;
}

/* What the table is about. */
struct binding_table {
	const struct run *run;
	bool groups; /* there are several */
};

/* Or the reason why nobody calls an object. */
static struct cell bound_to(const void *subject, const void *row, int index)
{
	const struct binding_object *binding = row;
	const char *why = binding->opened  ? "dlopen" :
			  binding->data_to ? "data only" :
			  binding->awaited ? "not yet" :
					     "never";

	if (binding->bound_to)
		return cell__count(binding->bound_to);
	if (is_program(((const struct binding_table *)subject)->run, binding))
		why = "";
	return cell__text(why);
}

static struct cell binding_object(const void *subject, const void *row, int index)
{
	return cell__object(((const struct binding_table *)subject)->run, ((const struct binding_object *)row)->object);
}

/* When the parent of these was read. */
static struct cell binding_group(const void *subject, const void *row, int index)
{
	const struct run *run = ((const struct binding_table *)subject)->run;
	uint32_t layout = ((const struct binding_object *)row)->layout;

	if (layout >= run->anatomy->layout_count)
		return cell__text("?");
	return cell__group(run, run->anatomy->layouts[layout].group);
}

static const struct column binding_columns[] = {
	{ "at start", COUNT_OF(struct binding_object, startup_pages) },
	{ "in child", COUNT_OF(struct binding_object, child_pages) },
	{ "slots bound", COUNT_OF(struct binding_object, slots_bound) },
	{ "unbound", COUNT_OF(struct binding_object, slots_unbound) },
	{ "bound to", COLUMN_COUNT, .cell = bound_to },
	{ "object", COLUMN_TEXT, .cell = binding_object },
	{ "at the fork of", COLUMN_TEXT, .cell = binding_group, WHEN(struct binding_table, groups) },
};

struct table *report__bindings(const struct run *run, const struct report_options *options)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct binding_table about = { run, has_groups(anatomy) };
	struct table *table = table__new("Bindings when the parent forked, and pages that ld.so wrote");

	TABLE_COLUMNS(table, binding_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < anatomy->binding_count; i++)
		if (says_something(&anatomy->bindings[i]))
			table__add(table, &anatomy->bindings[i]);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the dynamic linker did to each object of a program, and to which of its pages. */
#include <stdlib.h>

#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/words.h"

/* The program itself calls others; that none calls it says nothing. */
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

static void add_use(struct table *table, const struct run *run,
		    const struct binding_object *binding, bool full)
{
	if (full || binding->bound_to || binding->bound_to == ABSENT)
		table__count(table, binding->bound_to);
	else if (is_program(run, binding))
		table__text(table, "");
	else
		table__text(table, binding->opened ? "dlopen"
				   : binding->data_to ? "data only"
						      : "never");
}

static char *program_of(const struct run *run, const struct binding_object *binding, bool full)
{
	const struct anatomy *anatomy = run->anatomy;

	if (binding->layout >= anatomy->layout_count)
		return words("?");
	return words__exe(run, anatomy->layouts[binding->layout].exe, full);
}

static bool has_programs(const struct anatomy *anatomy)
{
	for (size_t i = 1; i < anatomy->binding_count; i++)
		if (anatomy->bindings[i].layout != anatomy->bindings[0].layout)
			return true;
	return false;
}

/* A static program writes to no page of its own by ld.so, and has no slots. */
static bool says_something(const struct binding_object *binding)
{
	return binding->startup_pages || binding->child_pages || binding->slots_bound ||
	       binding->slots_unbound || binding->bound_to || binding->data_to;
}

static bool is_all_static(const struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->binding_count; i++)
		if (says_something(&anatomy->bindings[i]))
			return false;
	return true;
}

static void add_object(struct table *table, const struct run *run,
		       const struct binding_object *binding, bool programs, bool full)
{
	char *object = words__object(run, binding->object, full);
	char *program = program_of(run, binding, full);

	table__row(table);
	table__count(table, binding->startup_pages);
	table__count(table, binding->child_pages);
	table__count(table, binding->slots_bound);
	table__count(table, binding->slots_unbound);
	add_use(table, run, binding, full);
	if (full)
		table__count(table, binding->data_to);
	if (programs)
		table__text(table, program);
	table__text(table, object);
	free(object);
	free(program);
}

struct table *report__bindings(const struct run *run, const struct report_options *options)
{
	const struct anatomy *anatomy = run->anatomy;
	bool full = options->csv, programs = full || has_programs(anatomy);
	struct table *table;

	if (!anatomy->binding_count || (!full && is_all_static(anatomy)))
		return NULL;
	table = table__new("Bindings when the parent forked, and pages that ld.so wrote");
	table__column(table, "at start", ALIGN_RIGHT);
	table__column(table, "in child", ALIGN_RIGHT);
	table__column(table, "slots bound", ALIGN_RIGHT);
	table__column(table, "unbound", ALIGN_RIGHT);
	table__column(table, "bound to", ALIGN_RIGHT);
	if (full)
		table__column(table, "data to", ALIGN_RIGHT);
	if (programs)
		table__column(table, "program", ALIGN_LEFT);
	table__column(table, "object", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < anatomy->binding_count; i++)
		if (full || says_something(&anatomy->bindings[i]))
			add_object(table, run, &anatomy->bindings[i], programs, full);
	return table;
}

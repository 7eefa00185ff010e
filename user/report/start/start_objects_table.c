// SPDX-License-Identifier: GPL-2.0-or-later
/* What ld.so linked before the program's entry: what each object cost, and who asked for it. */
#include <math.h>
#include <string.h>

#include "analysis/start/object_faults.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/start/start_report.h"

struct object_line {
	struct start_object_faults faults;
	uint64_t calls, needed, bound, relocations, kinds[RELOC_KIND_COUNT];
	struct cell us, name, through;
};

/* By kind they are for programs. */
static const struct column object_columns[] = {
	{ "calls", COUNT_OF(struct object_line, calls), .unless_zero = true },
	{ "us", COLUMN_NUMBER, CELL_OF(struct object_line, us) },
	{ "faults", COUNT_OF(struct object_line, faults.faults) },
	{ "dirtied", COUNT_OF(struct object_line, faults.dirtied), .spare = 3 },
	{ "relocations", COUNT_OF(struct object_line, relocations) },
	{ NULL, COUNT_OF(struct object_line, kinds), .view = VIEW_DATA, EACH_OF(relocation_keys) },
	{ "bound to", COUNT_OF(struct object_line, bound), .key = "bound_to", .spare = 2 },
	{ "asked by", COUNT_OF(struct object_line, needed), .key = "needed_by", .spare = 1 },
	{ "object", COLUMN_TEXT, CELL_OF(struct object_line, name) },
	{ "only through", COLUMN_TEXT, CELL_OF(struct object_line, through), .key = "through" },
};

static struct cell name_of(const struct start_object *object)
{
	return cell__names(checked_strdup(text__file_name(object->path)), checked_strdup(object->path));
}

static struct object_line line_of(const struct run *run, const struct start_object *object)
{
	struct object_line line = {
		.faults = start_object__faults(run, object),
		.calls = object->calls,
		.needed = object->needed_by,
		.bound = object->bound_to,
		/* The others the kernel has mapped. */
		.us = object->role != START_IS_LIBRARY ? cell__blank() :
		      object->ns == ABSENT	       ? cell__absent() :
							 cell__us((double)object->ns),
		.name = name_of(object),
		.through =
			object->through == NO_OBJECT ? cell__blank() : name_of(&run->start->objects[object->through]),
	};

	memcpy(line.kinds, object->relocations, sizeof(line.kinds));
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		line.relocations = line.kinds[kind] == ABSENT ? ABSENT : line.relocations + line.kinds[kind];
	return line;
}

/* A program without libraries needs no table. */
struct table *report__start_objects(const struct run *run, const struct report_options *options)
{
	const struct start *start = run->start;
	struct table *table = table__new("Objects that ld.so linked");

	TABLE_COLUMNS(table, object_columns, NULL);
	table__rule(table);
	for (size_t i = 0; start->object_count > 1 && i < start->object_count; i++) {
		const struct object_line line = line_of(run, &start->objects[i]);

		table__add(table, &line);
	}
	return table;
}

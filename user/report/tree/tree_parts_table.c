// SPDX-License-Identifier: GPL-2.0-or-later
/* The times of a tree by part: together with what is not explained they are the CPU time that the kernel counts. */
#include <stdlib.h>

#include "format/column.h"
#include "report/cells.h"
#include "report/report_sections.h"

struct part_row {
	struct cell share;
	double cpu_ms;
	struct cell elapsed;
	const char *name;
};

static const struct column part_columns[] = {
	{ "% CPU", COLUMN_NUMBER, CELL_OF(struct part_row, share) },
	{ "CPU ms", NUMBER_OF(struct part_row, cpu_ms), .decimals = 1 },
	{ "elapsed ms", COLUMN_NUMBER, CELL_OF(struct part_row, elapsed) },
	{ "part", TEXT_OF(struct part_row, name) },
};

static void add_part(struct table *table, double ns, double whole, struct cell elapsed, const char *name)
{
	table__add(table, &(struct part_row){ cell__percent(ns, whole), ns / 1e6, elapsed, name });
}

struct table *report__tree_parts(const struct run *run, const struct report_options *options)
{
	const struct tree_times *times = run->tree_times;
	const double whole = times->cpu_ns;
	struct table *table =
		table__new("CPU time of the tree by part, and how long its processes were in it, summed up");

	TABLE_COLUMNS(table, part_columns, NULL);
	table__rule(table);
	for (int part = 0; part < TREE_COUNT; part++)
		add_part(table, tree_times__part(times, part), whole,
			 cell__number(tree_times__wall(times, part) / 1e6, 1), tree_counters[part].header);
	add_part(table, whole - (double)tree_times__cpu(times), whole, cell__blank(), "not explained");
	table__rule(table);
	add_part(table, whole, whole, cell__blank(), "total, by the kernel's count");
	return table;
}

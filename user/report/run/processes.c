// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "format/column.h"
#include "report/cells.h"
#include "report/run/process_tree.h"
#include "report/run/run_report.h"

struct process_line {
	const struct process *process;
	struct faults faults;
};

static bool has_class(const void *subject, int class)
{
	return faults__class(&((const struct run *)subject)->faults, class) > 0;
}

static const struct process *process_of(const void *row)
{
	return ((const struct process_line *)row)->process;
}

static struct cell id(const void *subject, const void *row, int index)
{
	return cell__count(process_of(row)->id);
}

static struct cell pid(const void *subject, const void *row, int index)
{
	return cell__count(process_of(row)->pid);
}

static struct cell parent(const void *subject, const void *row, int index)
{
	uint64_t parent = process_of(row)->parent;

	return cell__count(parent ? parent : ABSENT);
}

static struct cell birth(const void *subject, const void *row, int index)
{
	return cell__text(birth_counters[process_of(row)->birth].key);
}

static struct cell images(const void *subject, const void *row, int index)
{
	return cell__images(subject, process_of(row));
}

static struct cell end(const void *subject, const void *row, int index)
{
	const struct process *process = process_of(row);

	return cell__exit(process->status, process->signal, process->finished);
}

static struct cell syscalls(const void *subject, const void *row, int index)
{
	return cell__count(process__syscalls(process_of(row)));
}

static struct cell faults_of(const void *subject, const void *row, int class)
{
	return cell__count(faults__class(&((const struct process_line *)row)->faults, class));
}

static struct cell minor_faults(const void *subject, const void *row, int index)
{
	return cell__count(process_of(row)->minflt);
}

static struct cell major_faults(const void *subject, const void *row, int index)
{
	return cell__count(process_of(row)->majflt);
}

static struct cell lifetime(const void *subject, const void *row, int index)
{
	const struct process *process = process_of(row);

	return cell__number(process->end_ns == ABSENT ?
				    NAN :
				    (process->end_ns - process->start_ns) / 1e6, 3);
}

static const struct column columns[] = {
	{ "id", COLUMN_COUNT, .cell = id },
	{ "pid", COLUMN_COUNT, .cell = pid },
	{ "parent", COLUMN_COUNT, .cell = parent },
	{ "birth", COLUMN_TEXT, .cell = birth },
	{ "exe", COLUMN_TEXT, .cell = images },
	{ "exit", COLUMN_TEXT, .cell = end },
	{ "syscalls", COLUMN_COUNT, .cell = syscalls },
	{ "faults", COUNT_OF(struct process_line, faults.total) },
	{ NULL, COLUMN_COUNT, .cell = faults_of, .when = has_class, .repeat = FAULT_COUNT,
	  .header_of = header__class },
	{ "minflt", COLUMN_COUNT, .cell = minor_faults },
	{ "majflt", COLUMN_COUNT, .cell = major_faults },
	{ "lifetime ms", COLUMN_NUMBER, .cell = lifetime },
};

/* The same of a tree, which says with its lines who is whose parent. */
static const struct column tree_columns[] = {
	{ "process", COLUMN_TEXT, .cell = images },
	{ "pid", COLUMN_COUNT, .cell = pid },
	{ "birth", COLUMN_TEXT, .cell = birth },
	{ "exit", COLUMN_TEXT, .cell = end },
	{ "syscalls", COLUMN_COUNT, .cell = syscalls },
	{ "faults", COUNT_OF(struct process_line, faults.total) },
};

static struct process_line line_of(const struct process *process)
{
	struct process_line line = { .process = process };

	process__faults(process, &line.faults);
	return line;
}

struct table *report__processes(const struct run *run, const struct report_options *options)
{
	struct table *table;

	if (!options->per_child)
		return NULL;
	table = table__new(run->all_processes ? "Processes"
					      : "Processes (only the first of each group was kept)");
	TABLE_COLUMNS(table, columns, run);
	table__rule(table);
	for (size_t i = 0; i < run->process_count; i++) {
		struct process_line line = line_of(&run->processes[i]);

		table__add(table, &line);
	}
	return table;
}

struct table *report__tree(const struct run *run, const struct report_options *options)
{
	struct process_place *places;
	struct table *table;
	size_t count;

	if (!options->tree)
		return NULL;
	table = table__new(run->all_processes ? "Process tree"
					      : "Process tree (only the first of each group was kept)");
	TABLE_COLUMNS(table, tree_columns, run);
	places = process_tree__of(run, &count);
	for (size_t i = 0; i < count; i++) {
		struct process_line line = line_of(&run->processes[places[i].process]);

		if (places[i].parent == NO_PLACE)
			table__add(table, &line);
		else
			table__add_below(table, places[i].parent, &line);
	}
	free(places);
	return table;
}

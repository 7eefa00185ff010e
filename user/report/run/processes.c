// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/run/run_report.h"
#include "report/shown.h"

struct process_line {
	const struct process *process;
	const char *birth;
	uint64_t id, pid, parent, syscalls, faults, classes[FAULT_COUNT], minflt, majflt;
	double lifetime_ms;
};

/* What the table is about. */
struct process_table {
	const struct run *run;
	bool faults;
	bool ended_faults; /* minflt and majflt */
	bool classes[FAULT_COUNT]; /* those that the run has */
};

static struct cell process_images(const void *subject, const void *row, int index)
{
	return cell__images(((const struct process_table *)subject)->run, ((const struct process_line *)row)->process);
}

static struct cell process_exit(const void *subject, const void *row, int index)
{
	const struct process *process = ((const struct process_line *)row)->process;

	return cell__exit(process->status, process->signal, process->finished);
}

static const struct column process_columns[] = {
	{ "id", COUNT_OF(struct process_line, id) },
	{ "pid", COUNT_OF(struct process_line, pid), .spare = 3 },
	{ "parent", COUNT_OF(struct process_line, parent) },
	{ "birth", TEXT_OF(struct process_line, birth), .spare = 2 },
	{ "exe", COLUMN_TEXT, .cell = process_images, .view = VIEW_DATA },
	{ "exit", COLUMN_TEXT, .cell = process_exit },
	{ "syscalls", COUNT_OF(struct process_line, syscalls) },
	{ "faults", COUNT_OF(struct process_line, faults), WHEN(struct process_table, faults) },
	{ NULL, COUNT_OF(struct process_line, classes), WHEN(struct process_table, classes),
	  EACH_BY(fault_counters, header), .spare = 4 },
	{ "minflt", COUNT_OF(struct process_line, minflt), WHEN(struct process_table, ended_faults), .spare = 5 },
	{ "majflt", COUNT_OF(struct process_line, majflt), WHEN(struct process_table, ended_faults), .spare = 5 },
	{ "lifetime ms", NUMBER_OF(struct process_line, lifetime_ms), .decimals = 3, .spare = 1 },
	{ "exe", COLUMN_TEXT, .cell = process_images, .view = VIEW_READING },
};

/* Without ids and parents: the lines of the tree show who created whom. */
static const struct column tree_columns[] = {
	{ "process", COLUMN_TEXT, .cell = process_images },
	{ "pid", COUNT_OF(struct process_line, pid), .spare = 2 },
	{ "birth", TEXT_OF(struct process_line, birth), .spare = 1 },
	{ "exit", COLUMN_TEXT, .cell = process_exit },
	{ "syscalls", COUNT_OF(struct process_line, syscalls) },
	{ "faults", COUNT_OF(struct process_line, faults), WHEN(struct process_table, faults) },
};

static struct process_table processes_of(const struct run *run)
{
	struct process_table about = { .run = run, .faults = run__has(run, HAS_PROCESS_FAULTS) };

	about.ended_faults = about.faults;
	for (int class = 0; class < FAULT_COUNT; class++)
		about.classes[class] = faults__class(&run->faults, class) > 0;
	return about;
}

static struct process_line line_of_process(const struct run *run, const struct process *process)
{
	struct process_line line = {
		.process = process,
		.birth = birth_counters[process->birth].key,
		.id = process->id,
		.pid = process->pid,
		.parent = process->parent ? process->parent : ABSENT,
		.syscalls = process__syscalls(process),
		.minflt = process->minflt,
		.majflt = process->majflt,
		.lifetime_ms = NAN,
	};
	struct faults faults;

	process__faults(process, &faults);
	line.faults = faults.total;
	for (int class = 0; class < FAULT_COUNT; class++)
		line.classes[class] = faults__class(&faults, class);
	if (run__has(run, HAS_CLOCK) && process->end_ns != ABSENT)
		line.lifetime_ms = (process->end_ns - process->start_ns) / 1e6;
	return line;
}

/* On a screen, without -v: each takes kilobytes until it is printed. */
enum { PROCESSES_SHOWN = 5000 };

struct table *report__processes(const struct run *run, const struct report_options *options)
{
	const struct process_table about = processes_of(run);
	const struct room room = room__of_list(options, PROCESSES_SHOWN);
	const char *title = run->all_processes ? "Processes" : "Processes (only the first of each group was kept)";
	struct table *table = table__titled(room__title(&room, title, run->process_count), text__of("%s", title));

	TABLE_COLUMNS(table, process_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < run->process_count && i < room.rows; i++) {
		struct process_line line = line_of_process(run, &run->processes[i]);

		table__add(table, &line);
	}
	return table;
}

struct table *report__tree(const struct run *run, const struct report_options *options)
{
	const struct process_table about = processes_of(run);
	const struct room room = room__of_list(options, PROCESSES_SHOWN);
	const char *title = run->all_processes ? "Process tree"
					       : "Process tree (only the first of each group was kept)";
	autofree struct process_place *places = NULL;
	struct table *table;
	size_t count;

	places = process_tree__of(run, &count);
	table = table__titled(room__title(&room, title, count), text__of("%s", title));
	TABLE_COLUMNS(table, tree_columns, &about);
	for (size_t i = 0; i < count && i < room.rows; i++) {
		struct process_line line = line_of_process(run, &run->processes[places[i].process]);

		if (places[i].parent == NO_PLACE)
			table__add(table, &line);
		else
			table__add_below(table, places[i].parent, &line);
	}
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "report/run/run_report.h"
#include "report/words.h"

static void add_columns(struct table *table, const struct run *run)
{
	table__column(table, "id", ALIGN_RIGHT);
	table__column(table, "pid", ALIGN_RIGHT);
	table__column(table, "parent", ALIGN_RIGHT);
	table__column(table, "birth", ALIGN_LEFT);
	table__column(table, "exe", ALIGN_LEFT);
	table__column(table, "exit", ALIGN_LEFT);
	table__column(table, "syscalls", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	for (int class = 0; class < FAULT_COUNT; class++)
		if (faults__class(&run->faults, class))
			table__column(table, fault_counters[class].header, ALIGN_RIGHT);
	table__column(table, "minflt", ALIGN_RIGHT);
	table__column(table, "majflt", ALIGN_RIGHT);
	table__column(table, "lifetime ms", ALIGN_RIGHT);
}

static void add_process(struct table *table, const struct run *run, const struct process *process,
			bool full)
{
	char *images = words__images(run, process, full);
	char *exit = words__exit(process->status, process->signal, process->finished);
	struct faults faults;

	process__faults(process, &faults);
	table__row(table);
	table__count(table, process->id);
	table__count(table, process->pid);
	table__count(table, process->parent ? process->parent : ABSENT);
	table__text(table, birth_counters[process->birth].key);
	table__text(table, images);
	table__text(table, exit);
	table__count(table, process__syscalls(process));
	table__count(table, faults.total);
	for (int class = 0; class < FAULT_COUNT; class++)
		if (faults__class(&run->faults, class))
			table__count(table, faults__class(&faults, class));
	table__count(table, process->minflt);
	table__count(table, process->majflt);
	if (process->end_ns == ABSENT)
		table__text(table, "-");
	else
		table__format(table, "%.3f", (process->end_ns - process->start_ns) / 1e6);
	free(images);
	free(exit);
}

struct table *report__processes(const struct run *run, const struct report_options *options)
{
	struct table *table;

	if (!options->per_child)
		return NULL;
	table = table__new(run->all_processes ? "Processes"
					      : "Processes (only the first of each group was kept)");
	add_columns(table, run);
	table__rule(table);
	for (size_t i = 0; i < run->process_count; i++)
		add_process(table, run, &run->processes[i], options->csv);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The counts as OpenMetrics 1.0, in a form that is also valid in the text format of Prometheus. All
 * are gauges: the next run replaces this one, while a counter would continue.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/anatomy/words_anatomy.h"
#include "report/export/openmetrics_lines.h"
#include "report/words.h"

static void write_info(const struct run *run, FILE *stream)
{
	static const struct metric_family info = { "run_info", "What was counted, where and how." };
	autofree char *command = run->command_count ? words__command(run->command) : NULL;

	metric__begin(stream, &info);
	METRIC(stream, "run_info", 1, "command", command ? command : "", "source", run->source, "kernel",
	       run->kernel, "arch", run->machine.arch, "version", run->version);
}

static void write_integrity(const struct run *run, FILE *stream)
{
	static const struct metric_family exact = { "run_exact", "1 if nothing was lost." };
	static const struct metric_family lost = { "lost", "What could not be counted, by kind." };

	metric__begin(stream, &exact);
	METRIC(stream, "run_exact", run->integrity.exact);
	metric__begin(stream, &lost);
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		METRIC(stream, "lost", run->integrity.losses[loss], "kind", loss_counters[loss].key);
}

static void write_life(const struct run *run, FILE *stream)
{
	static const struct metric_family life = { "life", "Processes, forks, execs and threads of the run." };
	static const struct metric_family wall = { "run_seconds", "Wall time of the command." };

	if (run__has(run, HAS_LIFE)) {
		metric__begin(stream, &life);
		for (int counter = 0; counter < LIFE_COUNT; counter++)
			METRIC(stream, "life", run->totals[counter], "event", lifecycle_counters[counter].key);
	}
	if (run__has(run, HAS_CLOCK)) {
		metric__begin(stream, &wall);
		fprintf(stream, "forktax_run_seconds %.9f\n", (double)run->wall_ns / 1e9);
	}
}

/* The name of a group is for people, and not unique, so a group has a number, too. */
struct of_group {
	char *name, *number; /* owned */
};

static struct of_group of_group(const struct run *run, uint32_t group)
{
	const bool is_root = group == NO_GROUP;

	return (struct of_group){ run__has(run, HAS_LIFE) ? names__group(run, group, true)
							     : text__of("all processes"),
				  is_root ? text__of("%s", "") : text__of("%" PRIu32, group) };
}

static void free_group(struct of_group *group)
{
	free(group->name);
	free(group->number);
}

typedef void table_fn(const struct run *run, FILE *stream, const struct of_group *group,
		      const struct syscall_table *table);

/* A log does not say on which machine it was made. */
static const char *abi_of(const struct run *run, const struct syscall_row *row)
{
	return run->machine.arch && *run->machine.arch ? abi_keys[row->abi] : "";
}

static void write_calls(const struct run *run, FILE *stream, const struct of_group *group,
			const struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_row *row = &table->rows[i];

		METRIC(stream, "syscalls", syscall_row__sum(row->calls), "group", group->name, "id",
		       group->number, "syscall", row->name, "abi", abi_of(run, row));
	}
}

static void write_errors(const struct run *run, FILE *stream, const struct of_group *group,
			 const struct syscall_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct syscall_row *row = &table->rows[i];

		if (!run->outcomes && syscall_row__sum(row->errors))
			METRIC(stream, "syscall_errors", syscall_row__sum(row->errors), "group",
			       group->name, "id", group->number, "syscall", row->name, "abi",
			       abi_of(run, row), "errno", "");
		for (size_t j = 0; j < row->errno_count; j++)
			METRIC(stream, "syscall_errors", syscall_row__sum(row->errnos[j].calls), "group",
			       group->name, "id", group->number, "syscall", row->name, "abi", abi_of(run, row), "errno",
			       row->errnos[j].name);
	}
}

/* The command itself, then each group. */
static void for_each_table(const struct run *run, FILE *stream, table_fn *write)
{
	struct of_group group = of_group(run, NO_GROUP);

	write(run, stream, &group, &run->root_table);
	free_group(&group);
	for (size_t i = 0; i < run->group_count; i++) {
		group = of_group(run, i);
		write(run, stream, &group, &run->groups[i].table);
		free_group(&group);
	}
}

static void write_syscalls(const struct run *run, FILE *stream)
{
	static const struct metric_family calls = { "syscalls", "System calls." };
	static const struct metric_family errors = { "syscall_errors",
						     "System calls that failed, by errno where that is known." };

	metric__begin(stream, &calls);
	for_each_table(run, stream, write_calls);
	if (!run__has(run, HAS_ERRORS))
		return;
	metric__begin(stream, &errors);
	for_each_table(run, stream, write_errors);
}

static void write_classes(FILE *stream, const struct of_group *group, const char *image,
			  const struct faults *faults)
{
	for (int class = 0; class < FAULT_COUNT; class++)
		for (int actor = 0; actor < ACTOR_COUNT; actor++)
			if (faults->by[actor][class])
				METRIC(stream, "page_faults", faults->by[actor][class], "group", group->name,
				       "id", group->number, "image", image, "class", fault_counters[class].key, "actor",
				       actor_counters[actor].key);
	if (faults__unattributed(faults))
		METRIC(stream, "page_faults", faults__unattributed(faults), "group", group->name, "id",
		       group->number, "image", image, "class", "unattributed", "actor", "");
}

static void write_faults(const struct run *run, FILE *stream)
{
	static const struct metric_family total = { "page_faults_of_run", "Page faults of all processes." };
	static const struct metric_family classes = { "page_faults", "Page faults by class and whose code took them." };
	struct of_group group;

	if (run__has(run, HAS_FAULTS)) {
		metric__begin(stream, &total);
		METRIC(stream, "page_faults_of_run", run->faults.total);
	}
	if (!run__has(run, HAS_FAULT_CLASSES))
		return;
	metric__begin(stream, &classes);
	group = of_group(run, NO_GROUP);
	write_classes(stream, &group, "all", &run->root_faults);
	free_group(&group);
	for (size_t i = 0; i < run->group_count; i++) {
		group = of_group(run, i);
		write_classes(stream, &group, "inherited", &run->groups[i].inherited);
		write_classes(stream, &group, "exec", &run->groups[i].execd);
		free_group(&group);
	}
}

static void write_children(const struct run *run, FILE *stream)
{
	static const struct metric_family children = { "children",
						       "Children, by whether they were counted to their end." };

	if (!run->group_count)
		return;
	metric__begin(stream, &children);
	for (size_t i = 0; i < run->group_count; i++) {
		struct of_group group = of_group(run, i);

		METRIC(stream, "children", run->groups[i].children, "group", group.name, "id", group.number,
		       "state", "finished");
		METRIC(stream, "children", run->groups[i].unfinished, "group", group.name, "id",
		       group.number, "state", "unfinished");
		free_group(&group);
	}
}

void export__openmetrics(const struct run *run, FILE *stream)
{
	write_info(run, stream);
	write_integrity(run, stream);
	write_life(run, stream);
	write_children(run, stream);
	write_syscalls(run, stream);
	write_faults(run, stream);
	fputs("# EOF\n", stream);
}

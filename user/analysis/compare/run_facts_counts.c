// SPDX-License-Identifier: GPL-2.0-or-later
/* What every run counts: calls, faults, and what its children did. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/by_chance.h"
#include "analysis/compare/collecting.h"
#include "analysis/same.h"
#include "base/text.h"
#include "model/words/names.h"

static void add_of_call(const struct collecting *collecting, enum compare_section section,
			const struct syscall_row *call, const char *error, double value)
{
	char *name = names__call(call);

	if (error)
		text__replace(&name, "%s %s", name, error);
	collecting__add(collecting, (struct run_fact){
		.section = section, .key = checked_strdup(name), .name = name, .value = value, .call = call,
		.by_chance = by_chance__call(call->name) || (error && by_chance__error(error)),
	});
}

/* Of calls without a longest one nobody knows how long they took: they never returned. */
static double ns_of(const struct run *run, const struct syscall_row *call)
{
	return run->timed && call->max_ns != ABSENT ? (double)syscall_row__sum(call->time_ns) : NAN;
}

static uint64_t root_calls(const struct run *run, const char *name)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < run->root_table.count; i++) {
		const struct syscall_row *row = &run->root_table.rows[i];

		if (row->name && !strcmp(row->name, name))
			calls += syscall_row__sum(row->calls);
	}
	return calls;
}

/*
 * What strace listed in 2006: it began after the first execve and left out the call that ends the
 * command, exit_group, or exit with a libc such as dietlibc. A killed command makes no such call.
 */
static double calls_between(const struct run *run)
{
	uint64_t calls = syscall_table__calls(&run->table);

	if (!run->command_count)
		return NAN;
	calls -= root_calls(run, "execve") > 0;
	calls -= root_calls(run, "exit_group") > 0 || root_calls(run, "exit") > 0;
	return (double)calls;
}

void collect_calls(const struct collecting *collecting)
{
	const struct run *run = collecting->run;

	for (size_t i = 0; i < run->table.count; i++) {
		const struct syscall_row *call = &run->table.rows[i];

		add_of_call(collecting, SECTION_SYSCALLS, call, NULL, (double)syscall_row__sum(call->calls));
		add_of_call(collecting, SECTION_SYSCALL_NS, call, NULL, ns_of(run, call));
		for (size_t k = 0; k < call->errno_count; k++)
			add_of_call(collecting, SECTION_ERRORS, call, call->errnos[k].name,
				    run->outcomes ? (double)syscall_row__sum(call->errnos[k].calls) : NAN);
	}
	collecting__count(collecting, SECTION_SYSCALL_TOTALS, 0, "total", "total",
			  (double)syscall_table__calls(&run->table));
	collecting__count(collecting, SECTION_SYSCALL_TOTALS, 1, "without_execve_and_exit_group",
			  "without execve and exit_group", calls_between(run));
}

static void add_class(const struct collecting *collecting, int order, const struct counter *class,
		      double faults, bool by_chance)
{
	collecting__add(collecting, (struct run_fact){
		.section = SECTION_FAULTS, .order = order, .key = checked_strdup(class->key),
		.name = checked_strdup(class->header), .value = faults, .by_chance = by_chance,
	});
}

void collect_faults(const struct collecting *collecting)
{
	static const struct counter no_class = { .key = "unattributed", .header = "unattributed" };
	const struct run *run = collecting->run;
	const bool classes = run__has(run, HAS_FAULT_CLASSES);

	for (int i = 0; i < FAULT_COUNT; i++)
		add_class(collecting, i, &fault_counters[i],
			  classes ? (double)faults__class(&run->faults, i) : NAN, by_chance__class(i));
	/* What belongs to no class may be anything. */
	add_class(collecting, FAULT_COUNT, &no_class, classes ? (double)faults__unattributed(&run->faults) : NAN, true);
	collecting__count(collecting, SECTION_FAULT_TOTALS, 0, "total", "total",
			  run__has(run, HAS_FAULTS) ? (double)run->faults.total : NAN);
	for (int i = 0; i < MARK_COUNT; i++)
		collecting__count(collecting, SECTION_FAULT_TOTALS, 1 + i, mark_counters[i].key,
				  mark_counters[i].header,
				  run__has(run, i == MARK_MAJOR ? HAS_FAULTS : HAS_FAULT_CLASSES)
					  ? (double)faults__mark(&run->faults, i) : NAN);
}

/* Of one child, if there is one; `group` is NULL for the mean of all children. */
static double of_child(const struct run *run, const struct group *group, double children, enum metric metric)
{
	double sum = 0;

	if (!(children > 0) || !run__counts(run, metric))
		return NAN;
	if (group)
		return (double)group->of[metric].median;
	for (size_t i = 0; i < run->group_count; i++)
		sum += (double)run->groups[i].of[metric].total;
	return sum / children;
}

/* A fact for each class, one for the remainder, and one for their sum. */
static void add_child(const struct collecting *collecting, enum compare_section section,
		      const struct group *group, double children)
{
	const struct run *run = collecting->run;
	int order = 0;

	collecting__count(collecting, section, order++, "children", "children", children);
	collecting__count(collecting, section, order++, "syscalls", "syscalls",
			  of_child(run, group, children, METRIC_SYSCALLS));
	for (int i = 0; i < FAULT_COUNT; i++)
		collecting__count(collecting, section, order++, fault_counters[i].key, fault_counters[i].header,
				  of_child(run, group, children, METRIC_CLASS + i));
	collecting__count(collecting, section, order++, "unattributed", "unattributed",
			  of_child(run, group, children, METRIC_UNATTRIBUTED));
	collecting__count(collecting, section, order++, "faults", "faults",
			  of_child(run, group, children, METRIC_FAULTS));
}

/* The largest group is that of the column's first run. */
void collect_children(const struct collecting *collecting)
{
	const struct run *run = collecting->run;
	const uint32_t largest = same_group__in(run, collecting->column->runs[0], 0, SAME_PARENT);
	const struct group *group = largest == NO_GROUP ? NULL : &run->groups[largest];

	add_child(collecting, SECTION_CHILDREN, NULL, (double)run__children(run));
	add_child(collecting, SECTION_GROUP, group, group ? (double)group->children : NAN);
	for (size_t i = 0; group && i < group->table.count; i++)
		add_of_call(collecting, SECTION_GROUP_CALLS, &group->table.rows[i], NULL,
			    (double)syscall_row__sum(group->table.rows[i].calls) / group__children(group));
}

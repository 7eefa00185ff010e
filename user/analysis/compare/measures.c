// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/measures.h"

#include <math.h>
#include <string.h>

#include "analysis/same.h"
#include "base/memory.h"

const char *const compare_section_keys[SECTION_COUNT] = {
	[SECTION_SYSCALLS] = "syscalls",       [SECTION_ERRORS] = "errors",
	[SECTION_SYSCALL_NS] = "syscall_ns", [SECTION_SYSCALL_TOTALS] = "syscall_totals",
	[SECTION_FAULTS] = "faults",	       [SECTION_FAULT_TOTALS] = "fault_totals",
	[SECTION_CHILDREN] = "per_child_mean", [SECTION_GROUP] = "largest_group_median",
	[SECTION_START_NS] = "start_ns",       [SECTION_START_CALLS] = "start_calls",
	[SECTION_START_ERRORS] = "start_errors", [SECTION_START_FAULTS] = "start_faults",
	[SECTION_START_CLASSES] = "start_classes", [SECTION_START_DIRTIED] = "start_dirtied",
	[SECTION_PROGRAMS] = "programs",       [SECTION_LIBRARIES] = "libraries",
	[SECTION_GROUPS] = "groups",	       [SECTION_PROCESSES] = "processes",
	[SECTION_FILES] = "files",	       [SECTION_SYMBOLS] = "symbols",
	[SECTION_PAGES] = "pages",
};

double measure__calls(const struct run *run, const struct measure_argument *argument)
{
	const struct syscall_row *row =
		syscall_table__find(&run->table, argument->call->name, argument->call->abi);

	return row ? (double)syscall_row__sum(row->calls) : 0;
}

/* Of one call with one errno. */
double measure__errors(const struct run *run, const struct measure_argument *argument)
{
	const struct syscall_row *row =
		syscall_table__find(&run->table, argument->call->name, argument->call->abi);

	if (!run->outcomes)
		return NAN;
	for (size_t i = 0; row && i < row->errno_count; i++)
		if (!strcmp(row->errnos[i].name, argument->error))
			return (double)syscall_row__sum(row->errnos[i].calls);
	return 0;
}

/* Of calls without a longest one nobody knows how long they took: they never returned. */
double measure__call_ns(const struct run *run, const struct measure_argument *argument)
{
	const struct syscall_row *row =
		syscall_table__find(&run->table, argument->call->name, argument->call->abi);

	if (!run->timed || (row && row->max_ns == ABSENT))
		return NAN;
	return row ? (double)syscall_row__sum(row->time_ns) : 0;
}

static double all_calls(const struct run *run, const struct measure_argument *argument)
{
	return (double)syscall_table__calls(&run->table);
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
static double calls_between(const struct run *run, const struct measure_argument *argument)
{
	uint64_t calls = syscall_table__calls(&run->table);

	if (!run->command_count)
		return NAN;
	calls -= root_calls(run, "execve") > 0;
	calls -= root_calls(run, "exit_group") > 0 || root_calls(run, "exit") > 0;
	return (double)calls;
}

static double class_faults(const struct run *run, const struct measure_argument *argument)
{
	if (!run__has(run, HAS_FAULT_CLASSES))
		return NAN;
	return (double)faults__class(&run->faults, argument->index);
}

static double unattributed(const struct run *run, const struct measure_argument *argument)
{
	return run__has(run, HAS_FAULT_CLASSES) ? (double)faults__unattributed(&run->faults)
						   : NAN;
}

double measure__faults(const struct run *run, const struct measure_argument *argument)
{
	return run__has(run, HAS_FAULTS) ? (double)run->faults.total : NAN;
}

static double mark_faults(const struct run *run, const struct measure_argument *argument)
{
	if (!run__has(run, argument->index == MARK_MAJOR ? HAS_FAULTS : HAS_FAULT_CLASSES))
		return NAN;
	return (double)faults__mark(&run->faults, argument->index);
}

double measure__children(const struct run *run, const struct measure_argument *argument)
{
	double sum = 0;

	for (size_t i = 0; i < run->group_count; i++)
		sum += (double)run->groups[i].children;
	return sum;
}

static bool is_counted(const struct run *run, enum metric metric)
{
	if (metric == METRIC_SYSCALLS)
		return true;
	return run__has(run, metric == METRIC_FAULTS ? HAS_PROCESS_FAULTS : HAS_FAULT_CLASSES);
}

static double mean_of_children(const struct run *run, const struct measure_argument *argument)
{
	double count = measure__children(run, NULL), sum = 0;

	if (!count || !is_counted(run, argument->index))
		return NAN;
	for (size_t i = 0; i < run->group_count; i++)
		sum += (double)run->groups[i].of[argument->index].total;
	return sum / count;
}

const struct group *measure__group(const struct run *run, const struct measure_argument *argument)
{
	const struct run *first = argument->first ? argument->first : argument->column->runs[0];
	const uint32_t index = same_group__in(run, first, argument->group, SAME_PARENT);

	return index == NO_GROUP ? NULL : &run->groups[index];
}

static double group_children(const struct run *run, const struct measure_argument *argument)
{
	const struct group *group = measure__group(run, argument);

	return group ? (double)group->children : NAN;
}

double measure__group_median(const struct run *run, const struct measure_argument *argument)
{
	const struct group *group = measure__group(run, argument);

	if (!group || !group->children || !is_counted(run, argument->index))
		return NAN;
	return (double)group->of[argument->index].median;
}

struct list {
	struct measure *measures;
	size_t count;
};

static void add(struct list *list, enum compare_section section, const char *key,
		const char *header, measure_fn *of, unsigned int index)
{
	list->measures = checked_grow(list->measures, list->count, sizeof(*list->measures));
	list->measures[list->count++] = (struct measure){ section, key, header, of, index };
}

/* A row for each class, one for the remainder, and one for their sum, in every section. */
static void add_parts(struct list *list, enum compare_section section, measure_fn *of)
{
	add(list, section, "syscalls", "syscalls", of, METRIC_SYSCALLS);
	for (int i = 0; i < FAULT_COUNT; i++)
		add(list, section, fault_counters[i].key, fault_counters[i].header, of,
		    METRIC_CLASS + i);
	add(list, section, "unattributed", "unattributed", of, METRIC_UNATTRIBUTED);
	add(list, section, "faults", "faults", of, METRIC_FAULTS);
}

struct measure *measures__new(size_t *count)
{
	struct list list = { NULL, 0 };

	add(&list, SECTION_SYSCALL_TOTALS, "total", "total", all_calls, 0);
	add(&list, SECTION_SYSCALL_TOTALS, "without_execve_and_exit_group",
	    "without execve and exit_group", calls_between, 0);
	for (int i = 0; i < FAULT_COUNT; i++)
		add(&list, SECTION_FAULTS, fault_counters[i].key, fault_counters[i].header,
		    class_faults, i);
	add(&list, SECTION_FAULTS, "unattributed", "unattributed", unattributed, 0);
	add(&list, SECTION_FAULT_TOTALS, "total", "total", measure__faults, 0);
	for (int i = 0; i < MARK_COUNT; i++)
		add(&list, SECTION_FAULT_TOTALS, mark_counters[i].key, mark_counters[i].header,
		    mark_faults, i);
	add(&list, SECTION_CHILDREN, "children", "children", measure__children, 0);
	add_parts(&list, SECTION_CHILDREN, mean_of_children);
	add(&list, SECTION_GROUP, "children", "children", group_children, 0);
	add_parts(&list, SECTION_GROUP, measure__group_median);
	*count = list.count;
	return list.measures;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

struct table *report__losses(const struct run *run)
{
	struct table *table = table__new(run->integrity.exact ? "Integrity: exact"
							    : "Integrity: not exact");

	table__column(table, "count", ALIGN_RIGHT);
	table__column(table, "of", ALIGN_LEFT);
	table__column(table, "meaning", ALIGN_LEFT);
	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		if (!run->integrity.losses[loss])
			continue;
		table__row(table);
		table__count(table, run->integrity.losses[loss]);
		table__text(table, loss_counters[loss].header);
		table__text(table, loss_counters[loss].definition);
	}
	if (table__rows(table))
		return table;
	table__free(table);
	return NULL;
}

struct entry {
	uint64_t processes, syscalls, errors, denied, faults;
};

static void add_entry(struct table *table, const char *name, const struct entry *entry)
{
	table__row(table);
	table__count(table, entry->processes);
	table__count(table, entry->syscalls);
	table__count(table, entry->errors);
	table__count(table, entry->denied);
	table__count(table, entry->faults);
	table__text(table, name);
}

static void add_calls(struct entry *entry, const struct syscall_table *calls)
{
	entry->syscalls += syscall_table__calls(calls);
	entry->errors += syscall_table__errors(calls);
	entry->denied += syscall_table__denied(calls);
}

static struct entry children_of(const struct run *run)
{
	struct entry entry = { 0 };

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		entry.processes += group->children + group->unfinished;
		entry.faults += group->inherited.total + group->execd.total;
		add_calls(&entry, &group->table);
	}
	return entry;
}

static struct entry roots_of(const struct run *run)
{
	struct entry entry = {
		.processes = run->totals[LIFE_PROCESSES] - run->totals[LIFE_FORKS],
		.faults = run->root_faults.total,
	};

	add_calls(&entry, &run->root_table);
	return entry;
}

static struct entry total_of(const struct run *run)
{
	struct entry entry = {
		.processes = run->totals[LIFE_PROCESSES],
		.faults = run->faults.total,
	};

	add_calls(&entry, &run->table);
	return entry;
}

/* More on the left than counted in all would be as wrong as less: both show as a difference. */
static void add_difference(struct table *table, const struct entry *roots,
			   const struct entry *children, const struct entry *total)
{
	const int64_t differences[] = {
		total->processes - roots->processes - children->processes,
		total->syscalls - roots->syscalls - children->syscalls,
		total->errors - roots->errors - children->errors,
		total->denied - roots->denied - children->denied,
		total->faults - roots->faults - children->faults,
	};
	bool balanced = true;

	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
		balanced &= differences[i] == 0;
	if (balanced)
		return;
	table__row(table);
	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
		table__format(table, "%ld", (long)differences[i]);
	table__text(table, "missing above");
}

struct table *report__books(const struct run *run)
{
	struct entry roots = roots_of(run), children = children_of(run), total = total_of(run);
	struct table *table = table__new("Books");

	table__column(table, "processes", ALIGN_RIGHT);
	table__column(table, "syscalls", ALIGN_RIGHT);
	table__column(table, "errors", ALIGN_RIGHT);
	table__column(table, "denied", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	table__column(table, "of", ALIGN_LEFT);
	table__rule(table);
	add_entry(table, run->attached_count ? "processes attached to" : "the command itself",
		  &roots);
	add_entry(table, "children", &children);
	add_difference(table, &roots, &children, &total);
	table__rule(table);
	add_entry(table, "total", &total);
	return table;
}

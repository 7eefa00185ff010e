// SPDX-License-Identifier: GPL-2.0-or-later
/* "How many system calls" has several true answers; this table gives them side by side. */
#include <string.h>

#include "report/run/run_report.h"

static uint64_t calls_named(const struct syscall_table *table, const char *name)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->rows[i].name, name))
			sum += syscall_row__sum(table->rows[i].calls);
	return sum;
}

static void add_reading(struct table *table, uint64_t calls, const char *what)
{
	table__row(table);
	table__count(table, calls);
	table__text(table, what);
}

struct table *report__readings(const struct run *run, const struct report_options *options)
{
	uint64_t all = syscall_table__calls(&run->table);
	uint64_t exits = calls_named(&run->table, "exit_group") + calls_named(&run->table, "exit");
	bool has_execve = run->command_count && calls_named(&run->root_table, "execve");
	struct table *table;

	if (options->filter)
		return NULL;
	table = table__new("Ways to count them");
	table__column(table, "calls", ALIGN_RIGHT);
	table__column(table, "counted are", ALIGN_LEFT);
	add_reading(table, all,
		    has_execve ? "all entries, from the command's own execve to its exit_group"
			       : "all entries");
	add_reading(table, all - exits,
		    "all but exit_group and exit, which never return: as strace -c does");
	if (has_execve)
		add_reading(table, all - exits - 1, "these without the command's own execve");
	return table;
}

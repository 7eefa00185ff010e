// SPDX-License-Identifier: GPL-2.0-or-later
/* "How many system calls" has several true answers; this table gives them side by side. */
#include <string.h>

#include "format/column.h"
#include "report/run/run_report.h"

struct way_to_count {
	uint64_t calls;
	const char *what;
};

static const struct column way_columns[] = {
	{ "calls", COUNT_OF(struct way_to_count, calls) },
	{ "what is counted", TEXT_OF(struct way_to_count, what) },
};

static uint64_t calls_named(const struct syscall_table *table, const char *name)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->rows[i].name, name))
			sum += syscall_row__sum(table->rows[i].calls);
	return sum;
}

struct table *report__ways_to_count(const struct run *run, const struct report_options *options)
{
	uint64_t all = syscall_table__calls(&run->table);
	uint64_t exits = calls_named(&run->table, "exit_group") + calls_named(&run->table, "exit");
	bool has_execve = run->command_count && calls_named(&run->root_table, "execve");
	const struct way_to_count ways[] = {
		{ all, has_execve ? "all entries, from the command's own execve to its exit_group"
				  : "all entries" },
		{ all - exits,
		  "all but exit_group and exit, which never return: as strace -c does" },
		{ all - exits - 1, "these without the command's own execve" },
	};
	const struct way_to_count of_table = {
		all, "all of a table of strace -c, which has no calls that never return"
	};
	struct table *table;

	if (options->filter)
		return NULL;
	table = table__new("Ways to count them");
	TABLE_COLUMNS(table, way_columns, NULL);
	if (!run__has(run, HAS_LIFE) && !exits)
		table__add(table, &of_table);
	else
		for (int i = 0; i < 2 + has_execve; i++)
			table__add(table, &ways[i]);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The system calls of one group of children. */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "report/run_report.h"
#include "report/words.h"

static char *title_of(const struct run *run, const struct group *group, bool full)
{
	uint64_t children = group->children + group->unfinished;
	char *parent = words__exe(run, group->parent_exe, full);
	char *fate = group->fate_exe == NO_EXE ? words("no exec")
					       : words__exe(run, group->fate_exe, full);
	char *title = words("System calls per child: %s, %s, %s (%" PRIu64 " %s)", parent,
			    birth_counters[group->birth].key, fate, children,
			    children == 1 ? "child" : "children");

	free(parent);
	free(fate);
	return title;
}

static void add_line(struct table *table, const struct syscall_row *row, uint64_t children)
{
	uint64_t calls = syscall_row__sum(row->calls);
	uint64_t errors = syscall_row__sum(row->errors);

	table__row(table);
	table__format(table, "%.2f", (double)calls / (children ? children : 1));
	table__count(table, calls);
	if (errors)
		table__count(table, errors);
	else
		table__text(table, "");
	if (row->abi == ABI_X86_64)
		table__text(table, row->name);
	else
		table__format(table, "%s (%s)", row->name, abi_keys[row->abi]);
}

struct table *report__group_calls(const struct run *run, const struct group *group,
				  const struct report_options *options)
{
	const struct syscall_row **rows = calloc(group->table.count + 1, sizeof(*rows));
	char *title = title_of(run, group, options->csv);
	struct table *table = table__new(title);
	size_t count = 0;

	if (!rows)
		err(125, "cannot write a report");
	for (size_t i = 0; i < group->table.count; i++)
		if (filter__passes(options->filter, &group->table.rows[i]))
			rows[count++] = &group->table.rows[i];
	sort__rows(rows, count, options->sort, run->timed);
	table__column(table, "per child", ALIGN_RIGHT);
	table__column(table, "calls", ALIGN_RIGHT);
	table__column(table, "errors", ALIGN_RIGHT);
	table__column(table, "syscall", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < count; i++)
		add_line(table, rows[i], group->children + group->unfinished);
	free(rows);
	free(title);
	return table;
}

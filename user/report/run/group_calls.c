// SPDX-License-Identifier: GPL-2.0-or-later
/* The system calls of one group of children. */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "report/anatomy/words_anatomy.h"
#include "report/run/run_report.h"
#include "report/words.h"

static char *title_of(const struct run *run, uint32_t index, bool full)
{
	uint64_t children = run->groups[index].children + run->groups[index].unfinished;
	char *group = words__group(run, index, full);
	char *title = words("System calls per child: %s (%" PRIu64 " %s)", group, children,
			    children == 1 ? "child" : "children");

	free(group);
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
	char *title = title_of(run, group - run->groups, options->csv);
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* The system calls of one group of children. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/run/call_list.h"
#include "report/run/run_report.h"

static char *title_of(const struct run *run, uint32_t index, bool full)
{
	uint64_t children = group__children(&run->groups[index]);
	char *title = words__group(run, index, full);

	text__replace(&title, "System calls per child: %s (%" PRIu64 " %s)", title, children,
		      children == 1 ? "child" : "children");
	return title;
}

static struct cell calls_per_child(const void *subject, const void *row, int index)
{
	uint64_t children = group__children(subject);
	double calls = syscall_row__sum(((const struct syscall_row *)row)->calls);

	return cell__number(calls / (children ? children : 1), 2);
}

static struct cell calls_of_group(const void *subject, const void *row, int index)
{
	return cell__count(syscall_row__sum(((const struct syscall_row *)row)->calls));
}

static struct cell errors_of_group(const void *subject, const void *row, int index)
{
	return cell__count_unless_zero(syscall_row__sum(((const struct syscall_row *)row)->errors));
}

static struct cell name_of_call(const void *subject, const void *row, int index)
{
	return cell__call(row);
}

static const struct column group_call_columns[] = {
	{ "per child", COLUMN_NUMBER, .cell = calls_per_child },
	{ "calls", COLUMN_COUNT, .cell = calls_of_group },
	{ "errors", COLUMN_COUNT, .cell = errors_of_group },
	{ "syscall", COLUMN_TEXT, .cell = name_of_call },
};

struct table *report__group_calls(const struct run *run, const struct group *group,
				  const struct report_options *options)
{
	struct call_list list = call_list__of(&group->table, run->timed, options);
	uint32_t index = group - run->groups;
	struct table *table = table__titled(title_of(run, index, false), title_of(run, index, true));

	TABLE_COLUMNS(table, group_call_columns, group);
	table__rule(table);
	for (size_t i = 0; i < list.count; i++)
		table__add(table, list.rows[i]);
	call_list__free(&list);
	return table;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "report/run/run_report.h"

static struct cell executed_path(const void *subject, const void *row, int index)
{
	const struct exe *exe = row;

	return cell__text(exe->path ? exe->path : "?");
}

static struct cell linkage_of_exe(const void *subject, const void *row, int index)
{
	const struct exe *exe = row;

	return cell__text(exe->linkage ? exe->linkage : "?");
}

static const struct column executable_columns[] = {
	{ "as executed", COLUMN_TEXT, .cell = executed_path },
	{ "file, if another path", TEXT_OF(struct exe, resolved) },
	{ "linkage", COLUMN_TEXT, .cell = linkage_of_exe },
};

struct table *report__executables(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Executables");

	TABLE_COLUMNS(table, executable_columns, run);
	table__rule(table);
	for (size_t i = 0; i < run->exe_count; i++)
		table__add(table, &run->exes[i]);
	return table;
}

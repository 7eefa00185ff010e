// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

struct table *report__executables(const struct run *run, const struct report_options *options)
{
	struct table *table;

	if (!run->exe_count || !(options->csv || options->per_child || options->tree))
		return NULL;
	table = table__new("Executables");
	table__column(table, "as executed", ALIGN_LEFT);
	table__column(table, "file, if another path", ALIGN_LEFT);
	table__column(table, "linkage", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < run->exe_count; i++) {
		const struct exe *exe = &run->exes[i];

		table__row(table);
		table__text(table, exe->path ? exe->path : "?");
		table__text(table, exe->resolved ? exe->resolved : "");
		table__text(table, exe->linkage ? exe->linkage : "?");
	}
	return table;
}

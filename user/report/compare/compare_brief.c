// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer's table: times, and the totals that explain them. */
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

static const struct {
	enum compare_section section;
	const char *key, *header;
} totals[] = {
	{ SECTION_SYSCALL_TOTALS, "total", "system calls" },
	{ SECTION_FAULT_TOTALS, "total", "page faults" },
	{ SECTION_CHILDREN, "children", "child processes" },
	{ SECTION_CHILDREN, "syscalls", "  system calls of each" },
	{ SECTION_CHILDREN, "faults", "  page faults of each" },
};

static void add_totals(struct table *table, const struct comparison *comparison)
{
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		const struct compare_row *row =
			compare__find_row(comparison, totals[i].section, totals[i].key);

		if (!row || !comparison__has_content(comparison, row))
			continue;
		table__named_row(table, totals[i].header);
		for (size_t column = 0; column < comparison->column_count; column++)
			table__put(table, cell__spread(&row->cells[column],
						       words__spread(&row->cells[column],
								     unit__none)));
	}
}

void compare_brief__print(const struct comparison *comparison, const struct table_output *output)
{
	struct table *table = table__new(NULL);

	table__may_continue_below(table);
	compare_table__add_columns(table, comparison);
	compare_table__add_times(table, comparison);
	add_totals(table, comparison);
	table__show(table, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What was counted, with the differences between runs. */
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/words/names.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

bool compare__shows(const struct report_options *options, const struct compare_row *row)
{
	return !row->call || filter__passes(options->filter, row->call);
}

typedef struct cell cell_fn(const struct comparison *comparison, const struct compare_row *row, size_t column);

static struct cell count_cell(const struct comparison *comparison, const struct compare_row *row, size_t column)
{
	const struct spread *spread = &row->cells[column];

	return cell__spread(spread, words__spread(spread, row->ratios ? unit__us : unit__none));
}

static struct cell ratio_cell(const struct comparison *comparison, const struct compare_row *row, size_t column)
{
	const struct estimate *ratio = &row->ratios[column];

	if (column == comparison->baseline)
		return cell__blank();
	return ratio->known ? cell__of_estimate(ratio, words__ratio(ratio)) : cell__absent();
}

static void add_row(struct table *table, const struct comparison *comparison, const struct compare_row *row,
		    cell_fn *cell)
{
	autofree char *header = text__of("  %s", row->header);

	table__named_row(table, header);
	for (size_t i = 0; i < comparison->column_count; i++)
		table__put(table, cell(comparison, row, i));
}

static bool is_shown(const struct comparison *comparison, const struct report_options *options,
		     const struct compare_row *row, enum compare_section section)
{
	return row->section == section && compare__shows(options, row) && comparison__has_content(comparison, row);
}

static bool shows_any(const struct comparison *comparison, const struct report_options *options,
		      enum compare_section section)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (is_shown(comparison, options, &comparison->rows[i], section))
			return true;
	return false;
}

static void add_count_rows(struct table *table, const struct comparison *comparison,
			   const struct report_options *options, enum compare_section section)
{
	autofree const struct compare_row **rows = checked_calloc(comparison->row_count, sizeof(*rows));
	size_t count = 0;

	for (size_t i = 0; i < comparison->row_count; i++)
		if (is_shown(comparison, options, &comparison->rows[i], section))
			rows[count++] = &comparison->rows[i];
	for (size_t i = 0; i < count; i++)
		add_row(table, comparison, rows[i], count_cell);
}

static bool has_ratio(const struct comparison *comparison, const struct compare_row *row)
{
	for (size_t i = 0; row->ratios && i < comparison->column_count; i++)
		if (row->ratios[i].known)
			return true;
	return false;
}

static void add_ratios(struct table *table, const struct comparison *comparison)
{
	bool any = false;

	for (size_t i = 0; i < comparison->row_count; i++) {
		if (!has_ratio(comparison, &comparison->rows[i]))
			continue;
		if (!any)
			table__heading(table, "start: these times to those of the baseline");
		any = true;
		add_row(table, comparison, &comparison->rows[i], ratio_cell);
	}
}

static void add_starts(struct table *table, const struct comparison *comparison, const struct report_options *options)
{
	static const struct {
		enum compare_section section;
		const char *heading;
	} parts[] = {
		{ SECTION_START_NS, "start: time as traced (us)" },
		{ SECTION_START_CALLS, "start: system calls" },
		{ SECTION_START_ERRORS, "start: system calls that failed" },
		{ SECTION_START_FAULTS, "start: page faults" },
		{ SECTION_START_CLASSES, "start: page faults by class" },
		{ SECTION_START_DIRTIED, "start: pages dirtied" },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!shows_any(comparison, options, parts[i].section))
			continue;
		table__heading(table, parts[i].heading);
		add_count_rows(table, comparison, options, parts[i].section);
		if (parts[i].section == SECTION_START_NS)
			add_ratios(table, comparison);
	}
}

static bool has_children(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (compare_column__group(&comparison->columns[i]))
			return true;
	}
	return false;
}

static void add_group_names(struct table *table, const struct comparison *comparison)
{
	table__named_row(table, "largest group, per child");
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];
		const struct group *group = compare_column__group(column);

		table__put(table, group ? cell__own(names__birth(column->runs[0], group, false)) : cell__absent());
	}
}

static bool has_runs(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (comparison->columns[i].run_count)
			return true;
	}
	return false;
}

void compare_table__add_counts(struct table *table, const struct comparison *comparison,
			       const struct report_options *options)
{
	if (!has_runs(comparison))
		return;
	table__heading(table, "system calls");
	add_count_rows(table, comparison, options, SECTION_SYSCALLS);
	if (options->filter) /* the totals below are not those of the calls above */
		table__heading(table, "all system calls");
	add_count_rows(table, comparison, options, SECTION_SYSCALL_TOTALS);
	if (shows_any(comparison, options, SECTION_ERRORS))
		table__heading(table, "errors");
	add_count_rows(table, comparison, options, SECTION_ERRORS);
	if (shows_any(comparison, options, SECTION_FAULT_TOTALS))
		table__heading(table, "page faults");
	add_count_rows(table, comparison, options, SECTION_FAULTS);
	add_count_rows(table, comparison, options, SECTION_FAULT_TOTALS);
	add_starts(table, comparison, options);
	if (!has_children(comparison))
		return;
	table__heading(table, "per child, mean of all");
	add_count_rows(table, comparison, options, SECTION_CHILDREN);
	add_group_names(table, comparison);
	add_count_rows(table, comparison, options, SECTION_GROUP);
	if (shows_any(comparison, options, SECTION_GROUP_CALLS))
		table__heading(table, "its system calls, mean of all");
	add_count_rows(table, comparison, options, SECTION_GROUP_CALLS);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "report/check/check_report.h"

struct check_row {
	const char *check;
	struct check_finding finding; /* borrows all */
};

static const struct check_finding *finding_of(const void *row)
{
	return &((const struct check_row *)row)->finding;
}

static struct cell metric_cell(const void *subject, const void *row, int index)
{
	return cell__own(check_words__metric(finding_of(row)));
}

static struct cell change_cell(const void *subject, const void *row, int index)
{
	return cell__own(check_words__change(finding_of(row)));
}

static struct cell result_cell(const void *subject, const void *row, int index)
{
	const struct check_finding *finding = finding_of(row);

	if (!baseline_kinds[finding->kind].gates && finding->change != CHANGE_NONE)
		return cell__text("changed (informational)");
	return cell__text(check_change_words[finding->change]);
}

static struct cell reasons_cell(const void *subject, const void *row, int index)
{
	return cell__own(check_words__reasons(finding_of(row)));
}

static const struct column columns[] = {
	{ "check", TEXT_OF(struct check_row, check) },
	{ "of", TEXT_OF(struct check_row, finding.of) },
	{ "kind", WORD_BY(struct check_row, finding.kind, baseline_kinds, key), .view = VIEW_DATA },
	{ "metric", COLUMN_TEXT, .cell = metric_cell },
	{ "unit", WORD_BY(struct check_row, finding.kind, baseline_kinds, unit), .view = VIEW_DATA },
	{ "before_min", COUNT_OF(struct check_row, finding.then_least), .view = VIEW_DATA },
	{ "before_max", COUNT_OF(struct check_row, finding.then_most), .view = VIEW_DATA },
	{ "now_min", COUNT_OF(struct check_row, finding.now_least), .view = VIEW_DATA },
	{ "now_max", COUNT_OF(struct check_row, finding.now_most), .view = VIEW_DATA },
	{ "now", COLUMN_TEXT, .cell = change_cell, .view = VIEW_READING },
	{ "result", COLUMN_TEXT, .cell = result_cell },
	{ "why", COLUMN_TEXT, .cell = reasons_cell },
};

static void add(struct table *table, const struct check_result *result, bool all)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];
		const struct check_row row = { result->check->name, *finding };
		const bool moved = !finding->part &&
				   (check_finding__fails(finding) || check_finding__improves(finding));

		table__add_for(table, all || moved ? VIEW_BOTH : VIEW_DATA, &row);
	}
}

struct table *check_report__table(const struct check_results *results, bool all)
{
	struct table *table = table__new("metrics");

	TABLE_COLUMNS(table, columns, NULL);
	for (size_t i = 0; i < results->count; i++)
		add(table, &results->results[i], all);
	return table;
}

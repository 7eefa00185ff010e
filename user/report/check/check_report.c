// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/check/check_report.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/words.h"

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

/* A table of metrics: those that moved, or all; programs always get all. */
static struct table *table_of_metrics(const struct check_results *results, bool all)
{
	struct table *table = table__new("metrics");

	TABLE_COLUMNS(table, columns, NULL);
	for (size_t i = 0; i < results->count; i++)
		add(table, &results->results[i], all);
	return table;
}

/* Lines for a terminal: reasons are sentences, which no cell of a table has room for. */
static void print_finding(const struct check_result *result, const struct check_finding *finding,
			  const struct table_output *output)
{
	autofree char *what = check_words__line(result, finding);
	autofree char *line = text__of("%s%s", what, finding->change == CHANGE_BETTER ? " (better)" : "");

	wrap__print(NULL, line, 2, 2, output);
	for (size_t i = 0; i < finding->reason_count; i++)
		wrap__print("-", finding->reasons[i], 4, 6, output);
}

static bool is_shown(const struct check_result *result, const struct check_finding *finding,
		     const struct check_view *view)
{
	if (finding->part && !view->all)
		return false;
	if (view->all || check_finding__fails(finding) || check_finding__improves(finding))
		return true;
	/* What moved besides may say why. */
	return result->outcome == CHECK_REGRESSED && finding->change == CHANGE_WORSE && !view->quiet;
}

static void print_lines(const struct check_result *result, const struct check_view *view,
			const struct table_output *output)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (is_shown(result, &result->findings[i], view))
			print_finding(result, &result->findings[i], output);
}

static void print_outcome(const struct check_result *result, const struct table_output *output)
{
	autofree char *words = check_words__outcome(result);

	wrap__print(NULL, words, 0, 0, output);
	if (output->style != TABLE_TEXT)
		wrap__separate(output);
}

void check_report__print(const struct check_results *results, const struct check_view *view,
			 const struct table_output *output)
{
	const bool is_text = output->style == TABLE_TEXT;

	for (size_t i = 0; i < results->count; i++) {
		const struct check_result *result = &results->results[i];

		if (table_output__view(output) == VIEW_DATA || (view->quiet && result->outcome == CHECK_HELD))
			continue;
		print_outcome(result, output);
		if (is_text)
			print_lines(result, view, output);
	}
	if (!is_text)
		table__show(table_of_metrics(results, view->all), output);
}

/* A baseline by itself. */

struct baseline_row {
	const char *check;
	const char *context;
	struct baseline_metric metric; /* borrows all */
};

static struct cell kept_metric(const void *subject, const void *row, int index)
{
	return cell__own(baseline_metric__words(&((const struct baseline_row *)row)->metric));
}

static struct cell kept_gate(const void *subject, const void *row, int index)
{
	const bool gates = baseline_kinds[((const struct baseline_row *)row)->metric.kind].gates;

	return cell__text(gates ? "gates" : "informational");
}

static const struct column baseline_columns[] = {
	{ "check", TEXT_OF(struct baseline_row, check), .view = VIEW_DATA },
	{ "context", TEXT_OF(struct baseline_row, context), .view = VIEW_DATA },
	{ "of", TEXT_OF(struct baseline_row, metric.of) },
	{ "metric", COLUMN_TEXT, .cell = kept_metric },
	{ "min", COUNT_OF(struct baseline_row, metric.least) },
	{ "max", COUNT_OF(struct baseline_row, metric.most) },
	{ "use", COLUMN_TEXT, .cell = kept_gate },
};

static struct table *metrics_table(char *title)
{
	struct table *table = table__titled(title, text__of("metrics"));

	TABLE_COLUMNS(table, baseline_columns, NULL);
	return table;
}

static void add_metrics(struct table *table, const struct baseline_check *check,
			const struct baseline_context *context, const char *words)
{
	for (size_t i = 0; i < context->metric_count; i++)
		table__add(table, &(struct baseline_row){ check->name, words, context->metrics[i] });
}

/* People get a table for each context. `all` NULL: its metrics are printed, else added to that one. */
static void show_context(const struct baseline_check *check, const struct baseline_context *context,
			 struct table *all, const struct table_output *output)
{
	autofree char *words = baseline_context__words(context), *command = words__command(check->command);
	struct table *table = all;

	if (!all)
		table = metrics_table(text__of("%s: %s (%s)", check->name, command, words));
	add_metrics(table, check, context, words);
	if (!all)
		table__show(table, output);
}

void baseline_report__print(const struct baseline *baseline, const struct report_options *options,
			    const struct table_output *output)
{
	const bool is_data = table_output__view(output) == VIEW_DATA;
	struct table *all = is_data ? metrics_table(NULL) : NULL;

	for (size_t i = 0; i < baseline->check_count; i++)
		for (size_t k = 0; k < baseline->checks[i].context_count; k++)
			show_context(&baseline->checks[i], &baseline->checks[i].contexts[k], all, output);
	table__show(all, output);
}

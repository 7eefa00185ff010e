// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/check/check_report.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/words.h"

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

		if (table_output__view(output) == VIEW_DATA ||
		    (view->quiet && result->outcome == CHECK_HELD))
			continue;
		print_outcome(result, output);
		if (is_text)
			print_lines(result, view, output);
	}
	if (!is_text)
		table__show(check_report__table(results, view->all), output);
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

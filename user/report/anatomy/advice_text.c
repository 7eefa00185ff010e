// SPDX-License-Identifier: GPL-2.0-or-later
/* What would make forks cheaper, or the start shorter: evidence, action, and what it is worth. */
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/advice_lines.h"
#include "report/anatomy/advice_order.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/words.h"

static void print_title(const struct run *run, const struct advice *advice, bool of_forks,
			const struct table_output *output)
{
	const char *title = advice->title ? advice->title : "";
	char *group = names__group(run, advice->group, false);
	char *text = of_forks ? text__of("%s (%s)", title, group) : text__of("%s", title);

	advice_lines__title(advice->rule, text, output);
	free(text);
	free(group);
}

static void print_figures(const char *label, const struct estimate *predicted,
			  const struct estimate *measured, struct unit unit,
			  const struct table_output *output)
{
	char *left = words__estimate(predicted, unit);
	char *right = words__estimate(measured, unit);

	if (predicted->known || measured->known)
		advice_lines__figures(label, left, right, output);
	free(left);
	free(right);
}

static void print_advice(const struct run *run, const struct advice *advice, bool of_forks,
			 const struct table_output *output)
{
	print_title(run, advice, of_forks, output);
	advice_lines__paragraph("evidence", advice->evidence, output);
	advice_lines__paragraph("do", advice->action, output);
	advice_lines__saves(output);
	print_figures("  faults", &advice->predicted_faults, &advice->measured_faults, unit__none,
		      output);
	print_figures("  us", &advice->predicted_ns, &advice->measured_ns, unit__us, output);
	advice_lines__paragraph("tried", advice->tried ? advice->tried : "no", output);
}

static void print_one(const struct run *run, const struct advice *advice, bool of_forks,
		      const struct table_output *output)
{
	struct table_output picture;

	putc('\n', output->stream);
	picture = picture__begin(output);
	print_advice(run, advice, of_forks, &picture);
	picture__end(output);
}

/* What was tried and has not helped is no advice. */
static void print_refuted(const struct advice *advice, const struct table_output *output)
{
	char *faults = words__estimate(&advice->measured_faults, unit__none);
	char *us = words__estimate(&advice->measured_ns, unit__us);
	char *text = text__of("%s: %s. Tried, no saving of time shown: us %s, faults %s; %s.",
			      advice->rule, advice->title ? advice->title : "", us, faults,
			      advice->tried ? advice->tried : "");

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
	free(faults);
	free(us);
	free(text);
}

static void print_order(const struct run *run, const struct advice_order *order, bool of_forks,
			const char *title, const struct table_output *output)
{
	if (order->useful) {
		putc('\n', output->stream);
		wrap__title(title, output);
	}
	if (order->useful > 1)
		wrap__print(NULL, of_forks ? "Rules may count the same fault: their savings do not add up."
					   : "Rules may count the same call: their savings do not add up.",
			    0, 2, output);
	for (size_t i = 0; i < order->useful; i++)
		print_one(run, order->list[i], of_forks, output);
	for (size_t i = order->useful; i < order->count; i++)
		print_refuted(order->list[i], output);
}

void report__print_advice(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	struct advice_order order = advice_order__of_forks(run);

	if (!output->page) /* the rows have all of it there */
		print_order(run, &order, true, "Advice: what it saves per child and fork (interval)", output);
	advice_order__free(&order);
}

void report__print_start_advice(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	struct advice_order order = advice_order__of_start(run);

	if (!output->page)
		print_order(run, &order, false, "Advice: what it saves per start (interval)", output);
	advice_order__free(&order);
}

static struct cell advice_group(const void *subject, const void *row, int index)
{
	return cell__group(subject, ((const struct advice *)row)->group);
}

/* The figure at that offset of the advice. */
static struct cell advice_figure(const void *subject, const void *row, int offset)
{
	return cell__of_estimate((const struct estimate *)((const char *)row + offset), NULL);
}

#define FIGURE_OF(field) COLUMN_ESTIMATE, .cell = advice_figure, \
			 .index = offsetof(struct advice, field)

static const struct column advice_columns[] = {
	{ "rule", TEXT_OF(struct advice, rule) },
	{ "group", COLUMN_TEXT, .cell = advice_group },
	{ "title", TEXT_OF(struct advice, title) },
	{ "evidence", TEXT_OF(struct advice, evidence) },
	{ "action", TEXT_OF(struct advice, action) },
	{ "tried", TEXT_OF(struct advice, tried) },
	{ "predicted faults", FIGURE_OF(predicted_faults) },
	{ "measured faults", FIGURE_OF(measured_faults) },
	{ "predicted ns", FIGURE_OF(predicted_ns) },
	{ "measured ns", FIGURE_OF(measured_ns) },
	{ "share of wall time", FIGURE_OF(share) },
};

static struct table *advice_table(const struct run *run, const char *title,
				  const struct advice *advice, size_t count)
{
	struct table *table = table__new(title);

	TABLE_COLUMNS(table, advice_columns, run);
	for (size_t i = 0; i < count; i++)
		table__add(table, &advice[i]);
	return table;
}

struct table *report__advice(const struct run *run, const struct report_options *options)
{
	return advice_table(run, "Advice", run->anatomy->advice, run->anatomy->advice_count);
}

struct table *report__start_advice(const struct run *run, const struct report_options *options)
{
	return advice_table(run, "Advice for the start", run->start->advice,
			    run->start->advice_count);
}

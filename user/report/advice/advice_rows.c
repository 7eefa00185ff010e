// SPDX-License-Identifier: GPL-2.0-or-later
/* Advice as a table, and the best of it in a sentence: what to do, and what that saves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "model/anatomy/anatomy.h"
#include "model/start/start.h"
#include "report/words.h"
#include "report/advice/advice_tables.h"
#include "report/advice/rule_words.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/shown.h"
#include "report/words.h"

enum { ROWS = 2 };

/* Which columns there are. */
struct advice_view {
	const struct run *run;
	bool groups; /* it is about several groups of children */
	bool of_run, of_pool;
};

/* Rules R look at the whole run (model/advice/rules_run.def). */
static bool is_of_run(const struct advice *advice)
{
	return advice->rule && *advice->rule == 'R';
}

static const char *remedy_of(const struct advice *advice)
{
	const struct rule_words *words = rule_words__of(advice->rule);

	if (is_of_run(advice) && advice->action)
		return advice->action; /* it names what was found */
	if (words)
		return words->remedy;
	return advice->title ? advice->title : "";
}

static char *words_of(const struct advice_view *view, const struct advice *advice)
{
	autofree char *group = NULL;
	char *text = text__of("%s", remedy_of(advice));

	if (view->run && advice__is_measured(advice) && !advice__lacks_quiet_runs(advice) && advice->tried_with &&
	    !strstr(text, advice->tried_with))
		text__replace(&text, "%s; tried by %s", text, advice->tried_with);
	if (view->groups && (advice->group != NO_GROUP || !is_of_run(advice))) {
		group = names__group(view->run, advice->group, false);
		text__replace(&text, "%s (%s)", text, group);
	}
	return text;
}

static struct cell saving_cell(const void *subject, const void *row, int measured)
{
	const struct advice *advice = *(const struct advice *const *)row;
	const struct estimate *ns = measured ? &advice->measured_ns : &advice->predicted_ns;
	const struct estimate *faults = measured ? &advice->measured_faults : &advice->predicted_faults;
	char *text;

	if (ns->known || !faults->known)
		return cell__in(cell__of_estimate(ns, NULL), FORM_RANGE, unit__us);
	text = words__estimate(faults, unit__none);
	text__replace(&text, "%s faults", text);
	return cell__own(text);
}

static struct cell bytes_cell(const void *subject, const void *row, int index)
{
	const struct estimate *bytes = &(*(const struct advice *const *)row)->predicted_bytes;

	return cell__in(cell__of_estimate(bytes, NULL), bytes->bounded ? FORM_BOUNDS : FORM_VALUE, unit__mib);
}

static struct cell remedy_cell(const void *subject, const void *row, int index)
{
	return cell__own(words_of(subject, *(const struct advice *const *)row));
}

static struct cell rule_cell(const void *subject, const void *row, int index)
{
	return cell__text((*(const struct advice *const *)row)->rule);
}

#define SAVING(measured)                                                                           \
	COLUMN_NUMBER, .cell = saving_cell, .index = measured, WHEN(struct advice_view, of_run)

static const struct column row_columns[] = {
	{ "rule", COLUMN_TEXT, .cell = rule_cell },
	{ "measured us", SAVING(true) },
	{ "predicted us", SAVING(false) },
	{ "predicted MiB", COLUMN_NUMBER, .cell = bytes_cell, WHEN(struct advice_view, of_pool) },
	{ "what to do", COLUMN_TEXT, .cell = remedy_cell },
};

static struct advice_view view_of(const struct advice_order *order)
{
	return (struct advice_view){
		.run = order->run,
		.groups = advice_order__has_groups(order),
		.of_run = order->run,
		.of_pool = !order->run,
	};
}

char *advice_words__of(const struct advice_order *order, const struct advice *advice)
{
	const struct advice_view view = view_of(order);

	return words_of(&view, advice);
}

static void print_rows(const struct advice_order *order, size_t most, const struct table_output *output)
{
	const struct advice_view view = view_of(order);
	struct table *table = table__new(advice_order__title(order));

	TABLE_COLUMNS(table, row_columns, &view);
	table__rule(table);
	for (size_t i = 0; i < order->useful && i < most; i++)
		table__add(table, &order->list[i]);
	table__show(table, output);
}

/* What stands below the rows: how much more there is, and how it was measured. */
static void print_below(const struct advice_order *order, size_t most, const struct report_options *options,
			const struct table_output *output)
{
	const bool has_room = !report__is_brief(options);
	const struct advice *first = has_room && order->run && order->useful ? order->list[0] : NULL;
	autofree char *text = text__of("%s", "");

	if (order->useful > most)
		text__replace(&text, "(%zu more: --show=%s.) ", order->useful - most, order->about->section);
	if (first && first->tried_with && advice__is_measured(first))
		text__replace(&text, "%s%s measured by %s.", text, first->rule, first->tried);
	if (*text)
		wrap__print(NULL, text, 0, 0, output);
}

/*
 * " (LD_BIND_NOW=1)", " (LD_BIND_NOW=1, slower: costs 164 (122..208) us)", or " (LD_BIND_NOW=1, too few quiet
 * runs)"; where only faults were measured " (/bin/bash, 37 faults more)"; to be freed.
 */
static char *how_it_failed(const struct advice *advice)
{
	const struct estimate *faults = &advice->measured_faults;
	const struct estimate loss = estimate__negate(advice->measured_ns);
	const char *with = advice->tried_with ? advice->tried_with : "";
	autofree char *number = NULL;

	if (loss.known && !loss.bounded)
		return text__of(" (%s, too few quiet runs)", with);
	if (estimate__shows(&loss, 0) == SHOWN_MORE) {
		number = words__estimate(&loss, unit__us);
		return text__of(" (%s, slower: costs %s us)", with, number);
	}
	if (advice->measured_ns.known || !faults->known)
		return text__of(" (%s)", with);
	if (!faults->value)
		return text__of(" (%s, as many faults)", with);
	number = words__estimate(&(struct estimate){ .known = true, .value = fabs(faults->value) }, unit__none);
	return text__of(" (%s, %s faults %s)", with, number, faults->value < 0 ? "more" : "fewer");
}

/* "Tried, no saving of time shown: S2 (LD_BIND_NOW=1), S4 (-I)." */
static void print_refuted(const struct advice_order *order, const struct table_output *output)
{
	autofree char *text = text__of("Tried, no saving of %s shown:", order->about->saving);

	for (size_t i = order->useful; i < order->count; i++) {
		autofree char *how = how_it_failed(order->list[i]);

		text__replace(&text, "%s%s %s%s", text, i > order->useful ? "," : "", order->list[i]->rule, how);
	}
	text__replace(&text, "%s.", text);
	if (order->useful < order->count)
		wrap__print(NULL, text, 0, 0, output);
}

void advice_rows__print(const struct advice_order *order, const struct report_options *options,
			const struct table_output *output)
{
	const size_t most = room__of(options, ROWS, SIZE_MAX).rows;

	if (output->page && order->count) {
		advice_tables__print(order, output);
		print_refuted(order, output);
		advice_tables__print_reasons(order, output);
		return;
	}
	if (order->useful)
		print_rows(order, most, output);
	else
		putc('\n', output->stream);
	print_below(order, most, options, output);
	print_refuted(order, output);
	if (!order->count)
		wrap__print(NULL, "No advice: forktax found nothing worth saving.", 0, 0, output);
}

void report__print_advice_rows(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	struct advice_order order = advice_order__of_forks(run);

	advice_rows__print(&order, options, output);
	advice_order__free(&order);
}

/* Is the answer about a single fork, and about nothing else? Then it has all about it. */
static bool is_about_fork_alone(const struct run *run, const struct report_options *options)
{
	return !run->start && !run->advice_count && !section__if_several_lines(run, options);
}

bool section__if_fork_advice(const struct run *run, const struct report_options *options)
{
	return section__if_forks(run, options) && (!report__is_brief(options) || is_about_fork_alone(run, options));
}

bool section__if_fork_causes(const struct run *run, const struct report_options *options)
{
	const bool has_lines = run->advice_count && section__if_several_lines(run, options);

	return section__if_forks(run, options) && (!report__is_brief(options) || !(run->start || has_lines));
}

/* Beside a start that was asked for, the answer has nothing of the lines of a script. */
bool section__unless_start(const struct run *run, const struct report_options *options)
{
	return !run->start || !report__is_brief(options);
}

bool section__if_lines_beside(const struct run *run, const struct report_options *options)
{
	return section__if_several_lines(run, options) && section__unless_start(run, options);
}

bool section__if_run_advice(const struct run *run, const struct report_options *options)
{
	return run->advice_count;
}

bool section__if_start_advice(const struct run *run, const struct report_options *options)
{
	return run->start && run->anatomy; /* a log has none */
}

void report__print_start_advice_rows(const struct run *run, const struct report_options *options,
				     const struct table_output *output)
{
	struct advice_order order = advice_order__of_start(run);

	advice_rows__print(&order, options, output);
	advice_order__free(&order);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice on a page, which is wide enough for tables: what each rule saves, the most by measurement
 * first, and below that what it rests on.
 */
#include "report/anatomy/advice_tables.h"

#include <stdlib.h>

#include "format/column.h"
#include "format/html/html_page.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/words.h"

/* What some advice has. */
struct advice_table {
	const struct run *run;
	bool groups, measured_ns, predicted_ns, measured_faults, predicted_faults;
};

static struct cell time_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate((const struct estimate *)((const char *)row + offset),
					 unit__us));
}

static struct cell faults_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate((const struct estimate *)((const char *)row + offset),
					 unit__none));
}

static struct cell group_cell(const void *subject, const void *row, int index)
{
	const struct advice_table *about = subject;

	return cell__group(about->run, ((const struct advice *)row)->group);
}

#define FIGURE(member, function) \
	COLUMN_NUMBER, .cell = function, .index = offsetof(struct advice, member)

static const struct column saving_columns[] = {
	{ "us, measured", FIGURE(measured_ns, time_cell), WHEN(struct advice_table, measured_ns) },
	{ "what to do", TEXT_OF(struct advice, action) },
	{ "what costs", TEXT_OF(struct advice, title) },
	{ "of", COLUMN_TEXT, .cell = group_cell, WHEN(struct advice_table, groups) },
	{ "us, predicted", FIGURE(predicted_ns, time_cell), WHEN(struct advice_table, predicted_ns) },
	{ "faults, measured", FIGURE(measured_faults, faults_cell),
	  WHEN(struct advice_table, measured_faults) },
	{ "faults, predicted", FIGURE(predicted_faults, faults_cell),
	  WHEN(struct advice_table, predicted_faults) },
	{ "rule", TEXT_OF(struct advice, rule) },
};

static struct cell tried_cell(const void *subject, const void *row, int index)
{
	const struct advice *advice = row;

	return cell__text(advice->tried ? advice->tried : "no");
}

static const struct column reason_columns[] = {
	{ "rule", TEXT_OF(struct advice, rule) },
	{ "evidence", TEXT_OF(struct advice, evidence) },
	{ "tried", COLUMN_TEXT, .cell = tried_cell },
};

static void show(struct table *table, const struct advice_order *order, const struct table_output *output)
{
	for (size_t i = 0; i < order->count; i++)
		table__add(table, order->list[i]);
	table__show(table, output);
}

static struct advice_table what_there_is(const struct run *run, const struct advice_order *order)
{
	struct advice_table about = { .run = run };

	for (size_t i = 0; i < order->count; i++) {
		const struct advice *advice = order->list[i];

		about.groups |= advice->group != NO_GROUP;
		about.measured_ns |= advice->measured_ns.known;
		about.predicted_ns |= advice->predicted_ns.known;
		about.measured_faults |= advice->measured_faults.known;
		about.predicted_faults |= advice->predicted_faults.known;
	}
	return about;
}

void advice_tables__print(const struct run *run, const struct advice_order *order, const char *title,
			  const struct table_output *output)
{
	const struct advice_table about = what_there_is(run, order);
	struct table *table = table__new(NULL);

	html_page__place_next(output->page, PAGE_ADVICE);
	html_page__heading(output->page, title);
	TABLE_COLUMNS(table, saving_columns, &about);
	show(table, order, output);
}

void advice_tables__print_reasons(const struct advice_order *order, const struct table_output *output)
{
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, reason_columns, NULL);
	show(table, order, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice on a page, which is wide enough for tables: what each rule saves, and below that what it
 * rests on.
 */
#include "report/advice/advice_tables.h"

#include <stdlib.h>

#include "format/column.h"
#include "format/html/html_page.h"
#include "report/cells.h"
#include "report/words.h"

struct advice_table {
	const struct run *run;
	bool groups; /* some is about groups of children */
};

static struct cell figure_in(const void *row, int offset, struct unit unit)
{
	const struct estimate *figure = (const struct estimate *)((const char *)row + offset);

	return figure->known ? cell__in(cell__of_estimate(figure, NULL), FORM_RANGE, unit) : cell__absent();
}

static struct cell time_cell(const void *subject, const void *row, int offset)
{
	return figure_in(row, offset, unit__us);
}

static struct cell faults_cell(const void *subject, const void *row, int offset)
{
	return figure_in(row, offset, unit__none);
}

static struct cell bytes_cell(const void *subject, const void *row, int offset)
{
	const struct estimate *figure = (const struct estimate *)((const char *)row + offset);

	return cell__in(cell__of_estimate(figure, NULL), figure->bounded ? FORM_BOUNDS : FORM_VALUE, unit__mib);
}

static struct cell group_cell(const void *subject, const void *row, int index)
{
	const struct advice_table *about = subject;

	return cell__group(about->run, ((const struct advice *)row)->group);
}

#define FIGURE(member, function)                                                                   \
	COLUMN_NUMBER, .cell = function, .index = offsetof(struct advice, member), IF_KNOWN

static const struct column saving_columns[] = {
	{ "us, measured", FIGURE(measured_ns, time_cell) },
	{ "what to do", TEXT_OF(struct advice, action) },
	{ "what costs", TEXT_OF(struct advice, title) },
	{ "of", COLUMN_TEXT, .cell = group_cell, WHEN(struct advice_table, groups) },
	{ "us, predicted", FIGURE(predicted_ns, time_cell) },
	{ "MiB, predicted", FIGURE(predicted_bytes, bytes_cell) },
	{ "faults, measured", FIGURE(measured_faults, faults_cell) },
	{ "faults, predicted", FIGURE(predicted_faults, faults_cell) },
	{ "rule", TEXT_OF(struct advice, rule) },
};

static struct cell tried_cell(const void *subject, const void *row, int index)
{
	const struct advice *advice = row;

	if (advice->by_hand)
		return cell__absent();
	return cell__own(advice_words__tried(advice));
}

static const struct column reason_columns[] = {
	{ "rule", TEXT_OF(struct advice, rule) },
	{ "evidence", TEXT_OF(struct advice, evidence) },
	{ "not for", TEXT_OF(struct advice, not_for), IF_KNOWN },
	{ "tried", COLUMN_TEXT, .cell = tried_cell, IF_KNOWN },
	{ "to try it", TEXT_OF(struct advice, by_hand), IF_KNOWN },
};

static struct advice_table what_there_is(const struct advice_order *order)
{
	struct advice_table about = { .run = order->run };

	for (size_t i = 0; i < order->count && order->run; i++)
		about.groups |= order->list[i]->group != NO_GROUP;
	return about;
}

static void show(struct table *table, const struct advice_order *order, const struct table_output *output)
{
	for (size_t i = 0; i < order->count; i++)
		table__add(table, order->list[i]);
	table__show(table, output);
}

void advice_tables__print(const struct advice_order *order, const struct table_output *output)
{
	const struct advice_table about = what_there_is(order);
	struct table *table = table__new(NULL);

	html_page__place_next(output->page, PAGE_ADVICE);
	html_page__heading(output->page, advice_order__title(order));
	TABLE_COLUMNS(table, saving_columns, &about);
	show(table, order, output);
}

void advice_tables__print_reasons(const struct advice_order *order, const struct table_output *output)
{
	const struct advice_table about = what_there_is(order);
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, reason_columns, &about);
	show(table, order, output);
}

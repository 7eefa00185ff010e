// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice on a page, which is wide enough for tables: what each rule saves, and below that what it
 * rests on; and the same for programs.
 */
#include "report/advice/advice_tables.h"

#include <stdlib.h>

#include "format/column.h"
#include "format/html/html_page.h"
#include "report/cells.h"
#include "report/words.h"

/* What some advice has. */
struct advice_table {
	const struct run *run;
	bool of_run, of_pool;
	bool groups, limits, measured_ns, predicted_ns, measured_faults, predicted_faults;
	bool measured_bytes, predicted_bytes, measured_cpu_ns, measured_load_ns;
};

static const struct estimate *figure_at(const void *row, int offset)
{
	return (const struct estimate *)((const char *)row + offset);
}

static struct cell time_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate(figure_at(row, offset), unit__us));
}

static struct cell faults_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate(figure_at(row, offset), unit__none));
}

static struct cell bytes_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate(figure_at(row, offset), unit__mib));
}

static struct cell seconds_cell(const void *subject, const void *row, int offset)
{
	return cell__own(words__estimate(figure_at(row, offset), unit__s));
}

static struct cell group_cell(const void *subject, const void *row, int index)
{
	const struct advice_table *about = subject;

	return cell__group(about->run, ((const struct advice *)row)->group);
}

#define FIGURE(member, function)                                                                   \
	COLUMN_NUMBER, .cell = function, .index = offsetof(struct advice, member),                 \
	WHEN(struct advice_table, member)

static const struct column saving_columns[] = {
	{ "us, measured", FIGURE(measured_ns, time_cell) },
	{ "MiB, measured", FIGURE(measured_bytes, bytes_cell) },
	{ "what to do", TEXT_OF(struct advice, action) },
	{ "what costs", TEXT_OF(struct advice, title) },
	{ "of", COLUMN_TEXT, .cell = group_cell, WHEN(struct advice_table, groups) },
	{ "us, predicted", FIGURE(predicted_ns, time_cell) },
	{ "MiB, predicted", FIGURE(predicted_bytes, bytes_cell) },
	{ "faults, measured", FIGURE(measured_faults, faults_cell) },
	{ "faults, predicted", FIGURE(predicted_faults, faults_cell) },
	{ "CPU s, measured", FIGURE(measured_cpu_ns, seconds_cell) },
	{ "load s, measured", FIGURE(measured_load_ns, seconds_cell) },
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
	{ "not for", TEXT_OF(struct advice, not_for), WHEN(struct advice_table, limits) },
	{ "tried", COLUMN_TEXT, .cell = tried_cell },
};

static void look_at(struct advice_table *about, const struct advice *advice)
{
	about->groups |= advice->group != NO_GROUP;
	about->limits |= advice->not_for != NULL;
	about->measured_ns |= advice->measured_ns.known;
	about->predicted_ns |= advice->predicted_ns.known;
	about->measured_faults |= advice->measured_faults.known;
	about->predicted_faults |= advice->predicted_faults.known;
	about->measured_bytes |= advice->measured_bytes.known;
	about->predicted_bytes |= advice->predicted_bytes.known;
	about->measured_cpu_ns |= advice->measured_cpu_ns.known;
	about->measured_load_ns |= advice->measured_load_ns.known;
}

static struct advice_table what_there_is(const struct advice_order *order)
{
	struct advice_table about = { .run = order->run };

	for (size_t i = 0; i < order->count; i++)
		look_at(&about, order->list[i]);
	about.groups &= order->run != NULL;
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
	html_page__heading(output->page, order->about->rows_title);
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

/* For programs. */

static struct cell data_cell(const void *subject, const void *row, int offset)
{
	return cell__of_estimate(figure_at(row, offset), NULL);
}

#define DATA_OF(member, what)                                                                      \
	COLUMN_ESTIMATE, .cell = data_cell, .index = offsetof(struct advice, member),              \
	WHEN(struct advice_table, what)

static const struct column data_columns[] = {
	{ "rule", TEXT_OF(struct advice, rule) },
	{ "group", COLUMN_TEXT, .cell = group_cell, WHEN(struct advice_table, of_run) },
	{ "title", TEXT_OF(struct advice, title) },
	{ "evidence", TEXT_OF(struct advice, evidence) },
	{ "action", TEXT_OF(struct advice, action) },
	{ "not for", TEXT_OF(struct advice, not_for), WHEN(struct advice_table, of_pool) },
	{ "tried", TEXT_OF(struct advice, tried) },
	{ "predicted faults", DATA_OF(predicted_faults, of_run) },
	{ "measured faults", DATA_OF(measured_faults, of_run) },
	{ "predicted ns", DATA_OF(predicted_ns, of_run) },
	{ "measured ns", DATA_OF(measured_ns, of_run) },
	{ "share of wall time", DATA_OF(share, of_run) },
	{ "predicted bytes", DATA_OF(predicted_bytes, of_pool) },
	{ "measured bytes", DATA_OF(measured_bytes, of_pool) },
	{ "measured cpu ns", DATA_OF(measured_cpu_ns, of_pool) },
	{ "measured load ns", DATA_OF(measured_load_ns, of_pool) },
};

struct table *advice_tables__data(const struct run *run, const char *title, const struct advice *advice,
				  size_t count)
{
	const struct advice_table about = { .run = run, .of_run = run, .of_pool = !run };
	struct table *table = table__new(title);

	TABLE_COLUMNS(table, data_columns, &about);
	for (size_t i = 0; i < count; i++)
		table__add(table, &advice[i]);
	return table;
}

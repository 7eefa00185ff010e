// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice about a pool on a page: what each remedy saves, the most by measurement first; and what
 * that rests on.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/column.h"
#include "format/html/html_page.h"
#include "format/wrap.h"
#include "report/words.h"
#include "report/workers/workers_trials.h"

static struct cell figure_cell(const void *row, int offset, struct unit unit)
{
	return cell__own(words__estimate((const struct estimate *)((const char *)row + offset),
					 unit));
}

static struct cell bytes_cell(const void *subject, const void *row, int offset)
{
	return figure_cell(row, offset, unit__mib);
}

static struct cell seconds_cell(const void *subject, const void *row, int offset)
{
	return figure_cell(row, offset, unit__s);
}

#define FIGURE(member, function) \
	COLUMN_NUMBER, .cell = function, .index = offsetof(struct pool_advice, member)

static const struct column saving_columns[] = {
	{ "MiB, measured", FIGURE(measured_bytes, bytes_cell) },
	{ "what to do", TEXT_OF(struct pool_advice, action) },
	{ "what costs", TEXT_OF(struct pool_advice, title) },
	{ "MiB, predicted", FIGURE(predicted_bytes, bytes_cell) },
	{ "CPU s, measured", FIGURE(measured_cpu_ns, seconds_cell) },
	{ "load s, measured", FIGURE(measured_load_ns, seconds_cell) },
	{ "rule", TEXT_OF(struct pool_advice, rule) },
};

static const struct column reason_columns[] = {
	{ "rule", TEXT_OF(struct pool_advice, rule) },
	{ "evidence", TEXT_OF(struct pool_advice, evidence) },
	{ "not for", TEXT_OF(struct pool_advice, not_for) },
	{ "tried", TEXT_OF(struct pool_advice, tried) },
};

static double saved_by(const struct pool_advice *advice)
{
	return advice->measured_bytes.known ? advice->measured_bytes.value : -INFINITY;
}

static int by_saving(const void *left, const void *right)
{
	const struct pool_advice *a = *(const struct pool_advice *const *)left;
	const struct pool_advice *b = *(const struct pool_advice *const *)right;

	if (saved_by(a) != saved_by(b))
		return saved_by(a) > saved_by(b) ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void show_all(struct table *table, const struct pool_advice **order, size_t count,
		     const struct table_output *output)
{
	for (size_t i = 0; i < count; i++)
		table__add(table, order[i]);
	table__show(table, output);
}

const struct pool_advice **workers_trials__by_saving(const struct pool_trials *trials)
{
	const struct pool_advice **order = checked_calloc(trials->advice_count, sizeof(*order));

	for (size_t i = 0; i < trials->advice_count; i++)
		order[i] = &trials->advice[i];
	qsort(order, trials->advice_count, sizeof(*order), by_saving);
	return order;
}

void workers_trials__print_tables(const struct pool_trials *trials, const struct table_output *output)
{
	const size_t count = trials->advice_count;
	const struct pool_advice **order = workers_trials__by_saving(trials);
	struct table *savings = table__new(NULL), *reasons = table__new(NULL);

	html_page__place_next(output->page, PAGE_ADVICE);
	html_page__heading(output->page, "Advice: what it saves of the pool's anonymous memory");
	TABLE_COLUMNS(savings, saving_columns, NULL);
	show_all(savings, order, count, output);
	if (count > 1)
		wrap__print(NULL, "Rules may count the same page: their savings do not add up.", 0, 0, output);
	TABLE_COLUMNS(reasons, reason_columns, NULL);
	show_all(reasons, order, count, output);
	free(order);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* One fork of the command beside one of another executable of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forks/fork_bill.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* NAN where it is not known: no time of a line of faults that did not occur. */
static double number_of(const struct estimate *figure)
{
	return figure->known ? figure->value : NAN;
}

static const char *title_of_line(const char *key)
{
	for (int line = 0; line < BILL_LINE_COUNT; line++)
		if (!strcmp(bill_line_keys[line], key))
			return bill_line_titles[line];
	return key; /* of a later version */
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

struct against_line {
	double ns[2], faults[2];
	const char *part;
};

static struct cell time_less(const void *subject, const void *row, int index)
{
	const double *ns = ((const struct against_line *)row)->ns;

	return cell__us(or_zero(ns[0]) - or_zero(ns[1]));
}

static struct cell time_of_side(const void *subject, const void *row, int side)
{
	return cell__us(((const struct against_line *)row)->ns[side]);
}

static struct cell faults_less(const void *subject, const void *row, int index)
{
	const double *faults = ((const struct against_line *)row)->faults;

	return cell__number(or_zero(faults[0]) - or_zero(faults[1]), 2);
}

static struct cell faults_of_side(const void *subject, const void *row, int side)
{
	return cell__number(((const struct against_line *)row)->faults[side], 2);
}

static const struct column against_columns[] = {
	{ "us less", COLUMN_NUMBER, .cell = time_less },
	{ "us here", COLUMN_NUMBER, .cell = time_of_side },
	{ "us there", COLUMN_NUMBER, .cell = time_of_side, .index = 1 },
	{ "faults less", COLUMN_NUMBER, .cell = faults_less },
	{ "here", COLUMN_NUMBER, .cell = faults_of_side },
	{ "there", COLUMN_NUMBER, .cell = faults_of_side, .index = 1 },
	{ "part", TEXT_OF(struct against_line, part) },
};

static struct table *new_table_against(const struct run *run)
{
	const struct against *against = run->anatomy->against;
	char *title = words__group(run, against->group, false);

	text__replace(&title, "One fork here (%s) and one of %s there, as traced", title,
		      against->path);
	return table__titled(title, NULL);
}

struct table *report__against(const struct run *run, const struct report_options *options)
{
	const struct against *against = run->anatomy->against;
	struct against_line total = { .part = "total, with the parent's" };
	struct table *table;

	if (!against || !against->row_count)
		return NULL;
	table = new_table_against(run);
	TABLE_COLUMNS(table, against_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < against->row_count; i++) {
		const struct against_row *row = &against->rows[i];
		struct against_line line = { .part = title_of_line(row->line) };

		for (int side = 0; side < 2; side++) {
			line.ns[side] = number_of(&row->ns[side]);
			line.faults[side] = number_of(&row->faults[side]);
			total.ns[side] += or_zero(line.ns[side]);
			total.faults[side] += or_zero(line.faults[side]);
		}
		table__add(table, &line);
	}
	table__rule(table);
	table__add(table, &total);
	return table;
}

void report__print_against(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	const struct against *against = run->anatomy->against;
	char *faults, *us, *line;

	if (!against)
		return;
	faults = words__figure(&against->faults, 1);
	us = words__figure(&against->ns, 1e-3);
	line = text__of(
		"%s saves per fork: %s faults, and %s us as measured without tracing (95 %% "
		"interval).",
		against->path, faults, us);
	wrap__print(NULL, line, 0, 0, output);
	free(line);
	free(us);
	free(faults);
}

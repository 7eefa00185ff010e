// SPDX-License-Identifier: GPL-2.0-or-later
/* One fork of the command beside one of another executable of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forks/fork_bill.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

/* NAN where it is not known: no time of a line of faults that did not occur. */
static double number(const struct figure *figure)
{
	return figure->known ? figure->value : NAN;
}

static const char *title_of(const char *key)
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

static void add_time(struct table *table, double ns)
{
	char *us = words__us(ns);

	table__text(table, us);
	free(us);
}

static void add_count(struct table *table, double faults)
{
	if (isnan(faults))
		table__text(table, "-");
	else
		table__format(table, "%.2f", faults);
}

static void add_row(struct table *table, const double faults[2], const double ns[2],
		    const char *title)
{
	table__row(table);
	add_time(table, or_zero(ns[0]) - or_zero(ns[1]));
	add_time(table, ns[0]);
	add_time(table, ns[1]);
	add_count(table, or_zero(faults[0]) - or_zero(faults[1]));
	add_count(table, faults[0]);
	add_count(table, faults[1]);
	table__text(table, title);
}

struct table *report__against(const struct run *run)
{
	static const char *const headers[] = { "us less", "us here", "us there",
					       "faults less", "here", "there" };
	const struct against *against = run->anatomy->against;
	double all_faults[2] = { 0 }, all_ns[2] = { 0 };
	struct table *table;
	char *title, *group;

	if (!against || !against->row_count)
		return NULL;
	group = words__group(run, against->group, false);
	title = text__of("One fork here (%s) and one of %s there, as traced", group, against->path);
	table = table__new(title);
	free(title);
	free(group);
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_RIGHT);
	table__column(table, "part", ALIGN_LEFT);
	table__rule(table);
	for (size_t i = 0; i < against->row_count; i++) {
		const struct against_row *row = &against->rows[i];
		double faults[2] = { number(&row->faults[0]), number(&row->faults[1]) };
		double ns[2] = { number(&row->ns[0]), number(&row->ns[1]) };

		add_row(table, faults, ns, title_of(row->line));
		for (int k = 0; k < 2; k++) {
			all_faults[k] += or_zero(faults[k]);
			all_ns[k] += or_zero(ns[k]);
		}
	}
	table__rule(table);
	add_row(table, all_faults, all_ns, "total");
	return table;
}

void report__print_against(const struct run *run, const struct table_output *output)
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

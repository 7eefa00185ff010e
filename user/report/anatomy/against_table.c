// SPDX-License-Identifier: GPL-2.0-or-later
/* One fork of the command beside one of another executable. */
#include <math.h>
#include <string.h>

#include "analysis/forks/fork_breakdown.h"
#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/shown.h"
#include "report/words.h"

enum { ROWS = 8 };

/* The table of --against has the lines of both programs, so the answer leaves out that of the command alone. */
bool section__unless_against(const struct run *run, const struct report_options *options)
{
	const bool forks = run->anatomy && run->anatomy->against;
	const bool start = run->start && run->start->against;

	return options->verbose || options->show[SHOW_CLOCK] || options->show[SHOW_PHASES] ||
	       options->formats[TABLE_HTML] || !(forks || start);
}

/* NAN if unknown: a line without faults has no time. */
static double number_of(const struct estimate *figure)
{
	return figure->known ? figure->value : NAN;
}

static const char *title_of_line(const char *key)
{
	for (int line = 0; line < BREAKDOWN_LINE_COUNT; line++)
		if (!strcmp(breakdown_line_keys[line], key))
			return breakdown_line_titles[line];
	return key; /* of a later version */
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

struct against_line {
	struct cell us_less, us[2], faults_less, faults[2];
	const char *part;
};

static const struct column against_columns[] = {
	{ "us saved", COLUMN_NUMBER, CELL_OF(struct against_line, us_less) },
	{ "us here", COLUMN_NUMBER, CELL_OF(struct against_line, us[0]) },
	{ "us there", COLUMN_NUMBER, CELL_OF(struct against_line, us[1]) },
	{ "faults saved", COLUMN_NUMBER, CELL_OF(struct against_line, faults_less) },
	{ "here", COLUMN_NUMBER, CELL_OF(struct against_line, faults[0]) },
	{ "there", COLUMN_NUMBER, CELL_OF(struct against_line, faults[1]) },
	{ "part", TEXT_OF(struct against_line, part) },
};

static void add_against(struct table *table, const double ns[2], const double faults[2],
			const char *part)
{
	const struct against_line line = {
		.us_less = cell__us(or_zero(ns[0]) - or_zero(ns[1])),
		.us = { cell__us(ns[0]), cell__us(ns[1]) },
		.faults_less = cell__number(or_zero(faults[0]) - or_zero(faults[1]), 2),
		.faults = { cell__number(faults[0], 2), cell__number(faults[1], 2) },
		.part = part,
	};

	table__add(table, &line);
}

static struct table *new_table_against(const struct run *run)
{
	const struct against *against = run->anatomy->against;
	char *title = names__group(run, against->group, false);

	text__replace(&title, "One fork here (%s) and one of %s there, as traced", title,
		      against->path);
	return table__titled(title, NULL);
}

/* The first column says which parts matter. */
static struct table *parts_against(const struct run *run, size_t most)
{
	const struct against *against = run->anatomy->against;
	struct table *table;

	if (!against || !against->row_count)
		return NULL;
	table = new_table_against(run);
	TABLE_COLUMNS(table, against_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < against->row_count; i++) {
		const struct against_row *row = &against->rows[i];
		double ns[2], faults[2];

		for (int side = 0; side < 2; side++) {
			ns[side] = number_of(&row->ns[side]);
			faults[side] = number_of(&row->faults[side]);
		}
		add_against(table, ns, faults, title_of_line(row->line));
	}
	table__limit_by(table, 0, most, "parts");
	table__total(table, "total, with the parent's");
	return table;
}

struct table *report__against(const struct run *run, const struct report_options *options)
{
	return parts_against(run, SIZE_MAX);
}

/* "41.2 us (39.5..43.1) less"; to be freed. */
static char *words_of_time(const struct estimate *saved)
{
	const bool more = saved->value < 0;
	const struct estimate positive = more ? estimate__negate(*saved) : *saved;
	autofree char *number = words__estimate(&positive, unit__us);

	return text__of("%s us %s", number, more ? "more" : "less");
}

/* "44 fewer page faults", "as many page faults"; to be freed. */
static char *words_of_faults(const struct estimate *saved)
{
	const bool more = saved->value < 0;
	const struct estimate positive = more ? estimate__negate(*saved) : *saved;
	autofree char *number = words__estimate(&positive, unit__none);

	return saved->value ? text__of("%s %s page faults", number, more ? "more" : "fewer")
			    : text__of("as many page faults");
}

static void print_sentence(const struct against *against, const struct table_output *output)
{
	autofree char *faults = words_of_faults(&against->faults), *time = words_of_time(&against->ns);
	autofree char *text =
		against->ns.known
			? text__of("A fork of %s takes %s, as measured without tracing%s, and has %s.", against->path,
				   time, against->ns.bounded ? " (95 % interval)" : "", faults)
			: text__of("A fork of %s has %s; its time without tracing was not measured.", against->path,
				   faults);

	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
}

void report__print_against(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	if (!run->anatomy->against)
		return;
	print_sentence(run->anatomy->against, output);
	table__show(parts_against(run, room__of(options, ROWS, SIZE_MAX).rows), output);
}

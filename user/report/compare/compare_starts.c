// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The phases of two starts: a row for each, with its time, calls and faults in both columns. Of more starts: how long
 * each takes before main(), and its biggest phase but main() itself.
 */
#include <math.h>

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

enum { SIDES = 2 };

/* One decimal, as a column of us has in each report of one run. */
static struct cell us_of(double ns, bool is_known)
{
	return is_known ? cell__worded(cell__number(ns, DECIMALS_ALL), number__fixed(ns / unit__us.size, 1))
			: cell__absent();
}

static struct cell time_of(const struct compare_row *row, size_t column)
{
	return us_of(row->cells[column].median, row->cells[column].known);
}

static struct cell ratio_of(const struct comparison *comparison, const struct compare_row *row)
{
	const struct estimate *ratio = row->ratios ? &row->ratios[!comparison->baseline] : NULL;

	if (!ratio || !ratio->known)
		return cell__absent();
	return cell__of_estimate(ratio, words__ratio(ratio));
}

/* "17 -> 21", or the one number that both have. */
static struct cell counts_of(const struct comparison *comparison, enum compare_section section, const char *key)
{
	const struct compare_row *row = compare__find_row(comparison, section, key);
	const struct spread *from = row ? &row->cells[comparison->baseline] : NULL;
	const struct spread *to = row ? &row->cells[!comparison->baseline] : NULL;
	autofree char *here = NULL, *there = NULL;

	if (!row || (!from->known && !to->known))
		return cell__blank();
	here = words__spread(&(struct spread){ from->known, from->median, NAN, NAN }, unit__none);
	there = words__spread(&(struct spread){ to->known, to->median, NAN, NAN }, unit__none);
	return cell__own(strcmp(here, there) ? text__of("%s -> %s", here, there) : checked_strdup(here));
}

static void add_phase(struct table *table, const struct comparison *comparison, const struct compare_row *row)
{
	const size_t base = comparison->baseline;

	table__row(table);
	table__text(table, row->header);
	table__put(table, time_of(row, base));
	table__put(table, time_of(row, !base));
	table__put(table, ratio_of(comparison, row));
	table__put(table, counts_of(comparison, SECTION_START_CALLS, row->key));
	table__put(table, counts_of(comparison, SECTION_START_FAULTS, row->key));
}

static double before_main(const struct run *run)
{
	return run->start && run->start->marks.main != ABSENT ? (double)run->start->marks.main : NAN;
}

/* The phase but main() that takes most of a column; NULL: none is known. */
static const struct compare_row *biggest_phase(const struct comparison *comparison, size_t column)
{
	const struct compare_row *biggest = NULL;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section == SECTION_START_NS && row->cells[column].known && row->order < START_PHASE_COUNT &&
		    row->order != START_MAIN && (!biggest || row->cells[column].median > biggest->cells[column].median))
			biggest = row;
	}
	return biggest;
}

/* Of several starts there is a row for each. */
static void print_several(const struct comparison *comparison, const struct table_output *output)
{
	struct table *table = table__new("Starts (us; traced, but for the CPU time)");

	table__column(table, "before main()", COLUMN_NUMBER);
	table__column(table, "biggest phase", COLUMN_NUMBER);
	table__column(table, "CPU time", COLUMN_NUMBER);
	table__column(table, "which", COLUMN_TEXT);
	table__column(table, "start of", COLUMN_TEXT);
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct spread before = compare_column__spread(&comparison->columns[i], before_main);
		const struct compare_row *phase = biggest_phase(comparison, i);
		const struct estimate *cpu = &comparison->timings[i].cpu;

		table__row(table);
		table__put(table, us_of(before.median, before.known));
		table__put(table, phase ? us_of(phase->cells[i].median, true) : cell__absent());
		table__put(table, us_of(cpu->value, cpu->known));
		table__text(table, phase ? phase->header : "-");
		table__text(table, comparison->columns[i].label);
	}
	table__show(table, output);
}

void compare_starts__print(const struct comparison *comparison, const struct table_output *output)
{
	struct table *table;

	if (comparison->column_count > SIDES)
		print_several(comparison, output);
	if (comparison->column_count != SIDES)
		return;
	table = table__new("Phases of the start (us, traced)");
	table__may_continue_below(table);
	table__column(table, "phase", COLUMN_TEXT);
	table__column(table, comparison->columns[comparison->baseline].label, COLUMN_NUMBER);
	table__column(table, comparison->columns[!comparison->baseline].label, COLUMN_NUMBER);
	table__column(table, "ratio", COLUMN_ESTIMATE);
	table__column(table, "calls", COLUMN_ESTIMATE);
	table__column(table, "faults", COLUMN_ESTIMATE);
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].section == SECTION_START_NS &&
		    comparison__has_content(comparison, &comparison->rows[i]))
			add_phase(table, comparison, &comparison->rows[i]);
	table__show(table, output);
}

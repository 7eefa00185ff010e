// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_report.h"

enum { WIDE = 100 /* columns from which intervals fit, too */ };

static struct unit unit_of(const struct bench_pair *pairs, size_t count)
{
	double longest = 0;

	for (size_t i = 0; i < count; i++) {
		for (int side = 0; side < 2; side++) {
			if (pairs[i].times[side].known && pairs[i].times[side].value > longest)
				longest = pairs[i].times[side].value;
		}
	}
	return unit__of_time(longest);
}

/* What the table is about. */
struct pair_table {
	struct unit unit;
	bool has_intervals; /* there is room for them */
};

static struct cell pair_name(const void *subject, const void *row, int index)
{
	const struct bench_pair *pair = row;

	return cell__own(*pair->column ? text__of("%s at %s", pair->row, pair->column) :
					 text__of("%s", pair->row));
}

/* For programs, what was not measured is an empty field. */
static struct cell pair_time(const void *subject, const void *row, int side)
{
	const struct estimate *time = &((const struct bench_pair *)row)->times[side];

	if (!time->known)
		return cell__said(cell__blank(), text__of("-"));
	return bench_cells__median(time, ((const struct pair_table *)subject)->unit);
}

static struct cell pair_interval(const void *subject, const void *row, int side)
{
	return bench_cells__interval(&((const struct bench_pair *)row)->times[side],
				     ((const struct pair_table *)subject)->unit);
}

static struct cell pair_ratio(const void *subject, const void *row, int index)
{
	const struct estimate *ratio = &((const struct bench_pair *)row)->ratio;

	if (!ratio->known)
		return cell__said(cell__blank(), text__of("-"));
	return bench_cells__ratio(ratio, false);
}

static void print_pairs(const struct bench_pair *pairs, size_t count, const char *const names[2],
			const struct table_output *output)
{
	const struct pair_table about = { unit_of(pairs, count),
					  !output->width || output->width >= WIDE };
	autofree char *first = text__of("%s (%s)", names[0], about.unit.name);
	autofree char *second = text__of("%s (%s)", names[1], about.unit.name);
	const struct column columns[] = {
		{ "row", TEXT_OF(struct bench_pair, row), .view = VIEW_DATA },
		{ "column", TEXT_OF(struct bench_pair, column), .view = VIEW_DATA },
		{ "", COLUMN_TEXT, .cell = pair_name, .view = VIEW_READING },
		{ first, COLUMN_NUMBER, .cell = pair_time, .key = "first_ns" },
		{ "95 % interval", COLUMN_NUMBER, .cell = pair_interval, .view = VIEW_READING,
		  WHEN(struct pair_table, has_intervals) },
		{ second, COLUMN_NUMBER, .cell = pair_time, .key = "second_ns", .index = 1 },
		{ "95 % interval", COLUMN_NUMBER, .cell = pair_interval, .view = VIEW_READING,
		  WHEN(struct pair_table, has_intervals), .index = 1 },
		{ "second by first", COLUMN_ESTIMATE, .cell = pair_ratio, .key = "ratio" },
	};
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, columns, &about);
	for (size_t i = 0; i < count; i++)
		table__add(table, &pairs[i]);
	table__finish(table, output);
}

/* Facts about the machine that differ; the load always does. */
static void print_differences(const struct bench *const benches[2],
			      const struct table_output *output)
{
	const struct bench_notes *facts = &benches[0]->facts;

	for (size_t i = 0; i < facts->count; i++) {
		const char *name = facts->notes[i].name, *first = facts->notes[i].value;
		const char *second = bench_notes__find(&benches[1]->facts, name);

		if (first && second && strcmp(first, second) && strcmp(name, "load"))
			wrap__labelled("Different:",
				       text__of("%s: %s, then %s", name, first, second), output);
	}
}

/* Their loops are the same, so times may stand beside each other. */
static void print_machines(const struct bench *const benches[2], const char *const names[2],
			   const struct table_output *output)
{
	autofree char *first = NULL, *second = NULL;

	if (machine__is_same(&benches[0]->machine, &benches[1]->machine))
		return;
	first = machine__words(&benches[0]->machine);
	second = machine__words(&benches[1]->machine);
	wrap__labelled(
		"Different:",
		text__of("%s ran on %s, %s on %s: forktax compares the times of the same loops. They say how fast "
			 "these machines are, and nothing of a change of the program.",
			 names[0], first, names[1], second),
		output);
}

static void print_left_out(const struct bench *second, const struct bench *first,
			   const struct table_output *output)
{
	size_t count, missing = 0;
	autofree struct bench_pair *pairs = bench_pairs__new(second, first, &count);

	for (size_t i = 0; i < count; i++)
		missing += !pairs[i].cells[1];
	if (missing)
		fprintf(output->stream, "%zu cells of the second are not in the first.\n", missing);
}

void bench_report__compare(const struct bench *const benches[2], const char *const names[2],
			   const struct report_options *options, const struct table_output *output)
{
	size_t count;
	autofree struct bench_pair *pairs = bench_pairs__new(benches[0], benches[1], &count);
	bool marked = false;

	print_pairs(pairs, count, names, output);
	for (size_t i = 0; i < count; i++)
		marked |= bench_cells__is_marked(&pairs[i].ratio);
	if (options->quiet || table_output__view(output) == VIEW_DATA)
		return;
	putc('\n', output->stream);
	if (marked)
		bench_cells__explain_mark(output);
	print_left_out(benches[1], benches[0], output);
	print_machines(benches, names, output);
	print_differences(benches, output);
	wrap__print(NULL, "The two were measured at different times: what else ran then affects "
			  "the ratio, but not its interval.", 0, 0, output);
}

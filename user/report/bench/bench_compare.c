// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_tables.h"
#include "report/words.h"

static void add(struct table *table, char *text)
{
	table__text(table, text);
	free(text);
}

static void add_pair(struct table *table, const struct bench_pair *pair,
		     const struct time_unit *unit, bool is_brief)
{
	table__row(table);
	add(table, words(*pair->column ? "%s at %s" : "%s%s", pair->row, pair->column));
	for (int side = 0; side < 2; side++) {
		const struct estimate *time = &pair->times[side];

		add(table, bench_cells__median(time, BENCH_METRIC_TIME, unit));
		if (!is_brief)
			add(table, bench_cells__interval(time, BENCH_METRIC_TIME, unit));
	}
	add(table, bench_cells__ratio(&pair->ratio, false, false));
}

static struct time_unit unit_of(const struct bench_pair *pairs, size_t count)
{
	double longest = 0;

	for (size_t i = 0; i < count; i++) {
		for (int side = 0; side < 2; side++) {
			if (pairs[i].times[side].known && pairs[i].times[side].value > longest)
				longest = pairs[i].times[side].value;
		}
	}
	return time_unit__for(longest);
}

static void print_csv(const struct bench_pair *pairs, size_t count,
		      const struct table_output *output)
{
	static const char *const headers[] = { "row", "column", "first_ns", "second_ns",
					       "ratio", "low", "high" };
	struct table *table = table__new(NULL);

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < count; i++) {
		const struct bench_pair *pair = &pairs[i];
		const struct estimate *ratio = &pair->ratio;

		table__row(table);
		table__text(table, pair->row);
		table__text(table, pair->column);
		for (int side = 0; side < 2; side++)
			add(table, pair->times[side].known ?
				words("%.15g", pair->times[side].value) : words("%s", ""));
		add(table, ratio->known ? words("%.15g", ratio->value) : words("%s", ""));
		add(table, ratio->bounded ? words("%.15g", ratio->low) : words("%s", ""));
		add(table, ratio->bounded ? words("%.15g", ratio->high) : words("%s", ""));
	}
	table__print(table, output);
	table__free(table);
}

static void print_table(const struct bench_pair *pairs, size_t count, const char *const names[2],
			const struct table_output *output)
{
	const struct time_unit unit = unit_of(pairs, count);
	bool is_brief = output->width && output->width < 100;
	struct table *table = table__new(NULL);

	table__column(table, "", ALIGN_LEFT);
	for (int side = 0; side < 2; side++) {
		char *header = words("%s (%s)", names[side], unit.name);

		table__column(table, header, ALIGN_RIGHT);
		free(header);
		if (!is_brief)
			table__column(table, "95 % interval", ALIGN_RIGHT);
	}
	table__column(table, "second by first", ALIGN_RIGHT);
	for (size_t i = 0; i < count; i++)
		add_pair(table, &pairs[i], &unit, is_brief);
	table__print(table, output);
	table__free(table);
}

/* Notes of the machine that are not the same in both; the load never is. */
static void print_differences(const struct bench *const benches[2],
			      const struct table_output *output)
{
	const struct bench_notes *notes = &benches[0]->machine;

	for (size_t i = 0; i < notes->count; i++) {
		const char *name = notes->notes[i].name, *first = notes->notes[i].value;
		const char *second = bench_notes__find(&benches[1]->machine, name);
		char *text;

		if (!first || !second || !strcmp(first, second) || !strcmp(name, "load"))
			continue;
		text = words("%s: %s, then %s", name, first, second);
		wrap__print("Different:", text, 0, 11, output);
		free(text);
	}
}

static void print_left_out(const struct bench *second, const struct bench *first,
			   const struct table_output *output)
{
	size_t count, missing = 0;
	struct bench_pair *pairs = bench_pairs__new(second, first, &count);

	for (size_t i = 0; i < count; i++)
		missing += !pairs[i].cells[1];
	free(pairs);
	if (missing)
		fprintf(output->stream, "%zu cells of the second are not in the first.\n", missing);
}

void bench_report__compare(const struct bench *const benches[2], const char *const names[2],
			   const struct bench_view *view, const struct table_output *output)
{
	size_t count;
	struct bench_pair *pairs = bench_pairs__new(benches[0], benches[1], &count);

	if (output->style == TABLE_CSV)
		print_csv(pairs, count, output);
	else
		print_table(pairs, count, names, output);
	free(pairs);
	if (output->style == TABLE_CSV || view->quiet)
		return;
	putc('\n', output->stream);
	print_left_out(benches[1], benches[0], output);
	print_differences(benches, output);
	wrap__print(NULL, "The two were measured at different times: what else ran then is in the "
			  "ratio, and not in its interval.", 0, 0, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_report.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/saved_table.h"
#include "report/shown.h"

enum { UNITS_SHOWN = 20 };

/* What the level counts, for the columns. */
struct watch_subject {
	bool classes;
};

static struct cell copied_cell(const void *subject, const void *row, int index)
{
	(void)subject;
	(void)index;
	return cell__number((double)((const struct watch_unit *)row)->copied_bytes / unit__mib.size, 1);
}

static struct cell fork_time_cell(const void *subject, const void *row, int index)
{
	(void)subject;
	(void)index;
	return cell__number((double)((const struct watch_unit *)row)->fork_ns / unit__s.size, 2);
}

static const struct column columns[] = {
	{ "unit", TEXT_OF(struct watch_unit, name) },
	{ "processes", COUNT_OF(struct watch_unit, processes) },
	{ "forks", COUNT_OF(struct watch_unit, forks) },
	{ "execs", COUNT_OF(struct watch_unit, execs) },
	{ "fork calls (s)", COLUMN_NUMBER, .cell = fork_time_cell },
	{ "copied (MiB)", COLUMN_NUMBER, .cell = copied_cell, WHEN(struct watch_subject, classes) },
	{ "faults", COUNT_OF(struct watch_unit, faults) },
	{ "calls", COUNT_OF(struct watch_unit, calls) },
};

/* Most forks first. */
static int by_forks(const void *left, const void *right)
{
	const struct watch_unit *a = *(const struct watch_unit *const *)left,
				*b = *(const struct watch_unit *const *)right;

	if (a->forks != b->forks)
		return a->forks < b->forks ? 1 : -1;
	return text__compare(a->name, b->name);
}

static const struct watch_unit **sorted_units(const struct watch_sample *sample)
{
	const struct watch_unit **units = checked_calloc(sample->unit_count, sizeof(*units));

	for (size_t i = 0; i < sample->unit_count; i++)
		units[i] = &sample->units[i];
	qsort(units, sample->unit_count, sizeof(*units), by_forks);
	return units;
}

static void print_answer(const struct watch_sample *sample, const struct watch_unit **units,
			 const struct table_output *output)
{
	const struct number_text time = quantity__time((sample->time - sample->began_at) * 1e9);
	char *said = sample->unit_count && units[0]->forks
			     ? text__of("In %s %s forked most: %s.", time.text, units[0]->name,
					quantity__count(units[0]->forks, "fork", "forks").text)
			     : text__of("In %s nothing forked.", time.text);

	if (sample->lost_events)
		text__replace(&said, "Not exact: %s lost. %s",
			      quantity__count(sample->lost_events, "event was", "events were").text, said);
	else if (!sample->is_exact)
		text__replace(&said, "Not exact: %s that something was not counted. %s",
			      quantity__count(sample->doubts, "warning", "warnings").text, said);
	wrap__paragraph(NULL, said, output);
}

void watch_sample_report__print(const struct watch_sample *sample, const struct report_options *options,
				const struct table_output *output)
{
	const struct watch_subject subject = { sample->level == WATCH_CLASSES };
	const struct watch_unit **units;
	struct table *table;

	if (table_output__view(output) == VIEW_DATA) {
		table__show(saved_table__of("Units", sample, &watch_sample_shape, sample, "units"), output);
		return;
	}
	units = sorted_units(sample);
	print_answer(sample, units, output);
	table = table__new(NULL);
	TABLE_COLUMNS(table, columns, &subject);
	for (size_t i = 0; i < sample->unit_count; i++)
		table__add(table, units[i]);
	table__limit(table, room__of(options, UNITS_SHOWN, UNITS_SHOWN).rows, "units");
	table__show(table, output);
	free(units);
}

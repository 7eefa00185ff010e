// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/run/run_report.h"

struct fault_line {
	const char *name;
	uint64_t faults;
	uint64_t whole; /* what they are a share of; 0: no share is shown */
	uint64_t by[ACTOR_COUNT];
};

static struct cell share_of_faults(const void *subject, const void *row, int index)
{
	const struct fault_line *line = row;

	return cell__percent(line->faults, line->whole);
}

/* What the table is about. */
struct fault_table {
	bool by_actor[ACTOR_COUNT];
};

static const struct column fault_columns[] = {
	{ "% faults", COLUMN_NUMBER, .cell = share_of_faults },
	{ "faults", COUNT_OF(struct fault_line, faults) },
	{ NULL, COUNT_OF(struct fault_line, by), .unless_zero = true,
	  WHEN(struct fault_table, by_actor), EACH_BY(actor_counters, header) },
	{ "class", TEXT_OF(struct fault_line, name) },
};

static void add_fault_class(struct table *table, const struct faults *faults, enum fault_class class)
{
	struct fault_line line = { .name = fault_counters[class].header,
				   .faults = faults__class(faults, class),
				   .whole = faults->total };

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		line.by[actor] = faults->by[actor][class];
	if (line.faults)
		table__add(table, &line);
}

static void add_fault_classes(struct table *table, const struct faults *faults)
{
	const struct fault_line unattributed = { .name = "unattributed",
						 .faults = faults__unattributed(faults),
						 .whole = faults->total };

	for (int class = 0; class < FAULT_COUNT; class++)
		add_fault_class(table, faults, class);
	table__add(table, &unattributed);
	table__rule(table);
}

static void add_fault_total(struct table *table, const struct faults *faults)
{
	struct fault_line line = { .name = "total", .faults = faults->total, .whole = faults->total };

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		line.by[actor] = faults__actor(faults, actor);
	table__add(table, &line);
	table__rule(table);
}

static void add_fault_mark(struct table *table, const struct faults *faults, enum mark mark)
{
	const struct fault_line line = { .name = mark_counters[mark].header, .faults = faults__mark(faults, mark) };

	table__add(table, &line);
}

static const char *title_of(const struct run *run)
{
	if (run__has(run, HAS_FAULT_CLASSES))
		return "Page faults";
	return run__has(run, HAS_PROCESS_FAULTS) ? "Page faults (classes not counted)"
						 : "Page faults of the command and all that it waited for, together";
}

struct class_count {
	const char *name;
	uint64_t faults;
};

static int most_first(const void *left, const void *right)
{
	const struct class_count *a = left, *b = right;

	return (a->faults < b->faults) - (a->faults > b->faults);
}

void report__print_fault_classes(const struct run *run, const struct report_options *options,
				 const struct table_output *output)
{
	struct class_count classes[FAULT_COUNT + 1];
	char *text = NULL;

	if (!report__is_brief(options) || !run__has(run, HAS_FAULT_CLASSES))
		return;
	for (int class = 0; class < FAULT_COUNT; class ++)
		classes[class] =
			(struct class_count){ fault_counters[class].header, faults__class(&run->faults, class) };
	classes[FAULT_COUNT] = (struct class_count){ "unattributed", faults__unattributed(&run->faults) };
	qsort(classes, FAULT_COUNT + 1, sizeof(*classes), most_first);
	for (int i = 0; i <= FAULT_COUNT && classes[i].faults; i++)
		text__replace(&text, "%s%s%" PRIu64 " %s", text ? text : "", text ? ", " : "",
			      classes[i].faults, classes[i].name);
	if (text)
		wrap__labelled("Page faults:", text, output);
}

struct table *report__faults(const struct run *run, const struct report_options *options)
{
	bool classed = run__has(run, HAS_FAULT_CLASSES);
	const struct fault_table about = { { classed, classed, classed } };
	struct table *table;

	if (!run__has(run, HAS_FAULTS))
		return NULL;
	table = table__new(title_of(run));
	TABLE_COLUMNS(table, fault_columns, &about);
	table__rule(table);
	if (classed)
		add_fault_classes(table, &run->faults);
	add_fault_total(table, &run->faults);
	for (int mark = 0; mark < MARK_COUNT; mark++)
		if (classed || mark == MARK_MAJOR)
			add_fault_mark(table, &run->faults, mark);
	return table;
}

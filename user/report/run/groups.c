// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "report/cells.h"
#include "report/run/run_report.h"

/* Which columns some group that is shown has something to say in. */
struct group_table {
	const struct run *run;
	bool unfinished, unattributed;
	bool classes[FAULT_COUNT];
};

static struct group_table look_at_groups(const struct run *run, const struct group_picks *picks)
{
	struct group_table about = { .run = run };

	for (size_t i = 0; i < picks->shown; i++) {
		const struct group *group = &run->groups[picks->order[i]];

		about.unfinished |= group->unfinished > 0;
		about.unattributed |= run->fault_level == FAULTS_CLASSES &&
				      group->of[METRIC_UNATTRIBUTED].max > 0;
		for (int class = 0; class < FAULT_COUNT; class++)
			about.classes[class] |= group->of[METRIC_CLASS + class].max > 0;
	}
	return about;
}

static struct cell group_parent(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;

	return cell__exe(about->run, ((const struct group *)row)->parent_exe);
}

static struct cell group_birth(const void *subject, const void *row, int index)
{
	return cell__text(birth_counters[((const struct group *)row)->birth].key);
}

static struct cell group_fate(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;
	const struct group *group = row;

	return group->fate_exe == NO_EXE ? cell__text("no exec") :
					   cell__exe(about->run, group->fate_exe);
}

static struct cell group_metric(const void *subject, const void *row, int metric)
{
	const struct group *group = row;

	return cell__distribution(&group->of[metric], group->children);
}

static struct cell group_class(const void *subject, const void *row, int class)
{
	return group_metric(subject, row, METRIC_CLASS + class);
}

/* People see a "~" at the number itself. */
static struct cell group_rounded(const void *subject, const void *row, int index)
{
	bool any = false;

	for (int metric = 0; metric < METRIC_COUNT; metric++)
		any |= ((const struct group *)row)->of[metric].rounded;
	return cell__text(any ? "yes" : "no");
}

static const struct column group_columns[] = {
	{ "parent", COLUMN_TEXT, .cell = group_parent },
	{ "birth", COLUMN_TEXT, .cell = group_birth },
	{ "fate", COLUMN_TEXT, .cell = group_fate },
	{ "children", COUNT_OF(struct group, children) },
	{ "unfinished", COUNT_OF(struct group, unfinished), WHEN(struct group_table, unfinished) },
	{ "syscalls", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_SYSCALLS },
	{ "faults", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_FAULTS },
	{ NULL, COLUMN_ESTIMATE, .cell = group_class, WHEN(struct group_table, classes),
	  .repeat = FAULT_COUNT, .header_of = header__class },
	{ "unattributed", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_UNATTRIBUTED,
	  WHEN(struct group_table, unattributed) },
	{ "rounded", COLUMN_TEXT, .cell = group_rounded, .view = VIEW_DATA },
};

struct table *report__groups(const struct run *run, const struct group_picks *picks)
{
	struct group_table about = look_at_groups(run, picks);
	struct table *table;

	if (!run->group_count)
		return NULL;
	table = table__new("Groups of children: median per child (min..max)");
	TABLE_COLUMNS(table, group_columns, &about);
	table__rule(table);
	for (size_t i = 0; i < picks->shown; i++)
		table__add(table, &run->groups[picks->order[i]]);
	return table;
}

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

static struct group_table look_at(const struct run *run, const struct group_picks *picks)
{
	struct group_table about = { .run = run };

	for (size_t i = 0; i < picks->shown; i++) {
		const struct group *group = &run->groups[picks->order[i]];

		about.unfinished |= group->unfinished > 0;
		about.unattributed |= run->fault_level == FAULTS_CLASSES &&
				      group->unattributed.max > 0;
		for (int class = 0; class < FAULT_COUNT; class++)
			about.classes[class] |= group->classes[class].max > 0;
	}
	return about;
}

static bool has_unfinished(const void *subject, int index)
{
	return ((const struct group_table *)subject)->unfinished;
}

static bool has_unattributed(const void *subject, int index)
{
	return ((const struct group_table *)subject)->unattributed;
}

static bool has_class(const void *subject, int class)
{
	return ((const struct group_table *)subject)->classes[class];
}

static struct cell parent(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;

	return cell__exe(about->run, ((const struct group *)row)->parent_exe);
}

static struct cell birth(const void *subject, const void *row, int index)
{
	return cell__text(birth_counters[((const struct group *)row)->birth].key);
}

static struct cell fate(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;
	const struct group *group = row;

	return group->fate_exe == NO_EXE ? cell__text("no exec") :
					   cell__exe(about->run, group->fate_exe);
}

static struct cell per_child(const void *row, const struct distribution *values)
{
	return cell__distribution(values, ((const struct group *)row)->children);
}

static struct cell syscalls(const void *subject, const void *row, int index)
{
	return per_child(row, &((const struct group *)row)->syscalls);
}

static struct cell faults(const void *subject, const void *row, int index)
{
	return per_child(row, &((const struct group *)row)->faults);
}

static struct cell faults_of(const void *subject, const void *row, int class)
{
	return per_child(row, &((const struct group *)row)->classes[class]);
}

static struct cell unattributed(const void *subject, const void *row, int index)
{
	return per_child(row, &((const struct group *)row)->unattributed);
}

/* People see a "~" at the number itself. */
static struct cell rounded(const void *subject, const void *row, int index)
{
	const struct group *group = row;
	bool any = group->syscalls.rounded || group->faults.rounded || group->unattributed.rounded;

	for (int class = 0; class < FAULT_COUNT; class++)
		any |= group->classes[class].rounded;
	return cell__text(any ? "yes" : "no");
}

static const struct column columns[] = {
	{ "parent", COLUMN_TEXT, .cell = parent },
	{ "birth", COLUMN_TEXT, .cell = birth },
	{ "fate", COLUMN_TEXT, .cell = fate },
	{ "children", COUNT_OF(struct group, children) },
	{ "unfinished", COUNT_OF(struct group, unfinished), .when = has_unfinished },
	{ "syscalls", COLUMN_ESTIMATE, .cell = syscalls },
	{ "faults", COLUMN_ESTIMATE, .cell = faults },
	{ NULL, COLUMN_ESTIMATE, .cell = faults_of, .when = has_class, .repeat = FAULT_COUNT,
	  .header_of = header__class },
	{ "unattributed", COLUMN_ESTIMATE, .cell = unattributed, .when = has_unattributed },
	{ "rounded", COLUMN_TEXT, .cell = rounded, .view = VIEW_DATA },
};

struct table *report__groups(const struct run *run, const struct group_picks *picks)
{
	struct group_table about = look_at(run, picks);
	struct table *table;

	if (!run->group_count)
		return NULL;
	table = table__new("Groups of children: median per child (min..max)");
	TABLE_COLUMNS(table, columns, &about);
	table__rule(table);
	for (size_t i = 0; i < picks->shown; i++)
		table__add(table, &run->groups[picks->order[i]]);
	return table;
}

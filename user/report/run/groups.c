// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "report/run/run_report.h"
#include "report/words.h"

/* Which columns some group that is shown has something to say in. */
struct shown {
	bool unfinished, unattributed;
	bool classes[FAULT_COUNT];
};

static struct shown shown_of(const struct run *run, const struct group_picks *picks)
{
	struct shown shown = { 0 };

	for (size_t i = 0; i < picks->shown; i++) {
		const struct group *group = &run->groups[picks->order[i]];

		shown.unfinished |= group->unfinished > 0;
		shown.unattributed |= run->fault_level == FAULTS_CLASSES &&
				      group->of[METRIC_UNATTRIBUTED].max > 0;
		for (int class = 0; class < FAULT_COUNT; class++)
			shown.classes[class] |= group->of[METRIC_CLASS + class].max > 0;
	}
	return shown;
}

static void add_columns(struct table *table, const struct shown *shown)
{
	table__column(table, "parent", ALIGN_LEFT);
	table__column(table, "birth", ALIGN_LEFT);
	table__column(table, "fate", ALIGN_LEFT);
	table__column(table, "children", ALIGN_RIGHT);
	if (shown->unfinished)
		table__column(table, "unfinished", ALIGN_RIGHT);
	table__column(table, "syscalls", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
	for (int class = 0; class < FAULT_COUNT; class++)
		if (shown->classes[class])
			table__column(table, fault_counters[class].header, ALIGN_RIGHT);
	if (shown->unattributed)
		table__column(table, "unattributed", ALIGN_RIGHT);
}

/* Takes the text over. */
static void add_text(struct table *table, char *text)
{
	table__text(table, text);
	free(text);
}

static void add_group(struct table *table, const struct run *run, const struct group *group,
		      const struct shown *shown, bool full)
{
	table__row(table);
	add_text(table, words__exe(run, group->parent_exe, full));
	table__text(table, birth_counters[group->birth].key);
	if (group->fate_exe == NO_EXE)
		table__text(table, "no exec");
	else
		add_text(table, words__exe(run, group->fate_exe, full));
	table__count(table, group->children);
	if (shown->unfinished)
		table__count(table, group->unfinished);
	add_text(table, words__distribution(&group->of[METRIC_SYSCALLS], group->children));
	add_text(table, words__distribution(&group->of[METRIC_FAULTS], group->children));
	for (int class = 0; class < FAULT_COUNT; class++)
		if (shown->classes[class])
			add_text(table,
				 words__distribution(&group->of[METRIC_CLASS + class],
						     group->children));
	if (shown->unattributed)
		add_text(table, words__distribution(&group->of[METRIC_UNATTRIBUTED],
						    group->children));
}

struct table *report__groups(const struct run *run, const struct group_picks *picks,
			     const struct report_options *options)
{
	struct shown shown = shown_of(run, picks);
	struct table *table;

	if (!run->group_count)
		return NULL;
	table = table__new("Groups of children: median per child (min..max)");
	add_columns(table, &shown);
	table__rule(table);
	for (size_t i = 0; i < picks->shown; i++)
		add_group(table, run, &run->groups[picks->order[i]], &shown, options->csv);
	return table;
}

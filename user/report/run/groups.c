// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups of children, and the system calls of each. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/run/group_picks.h"
#include "report/run/run_report.h"

enum { ROWS_USUAL = 5, ROWS_IN_FULL = 10 };

/* What the table is about, and which columns this report has. */
struct group_table {
	const struct run *run;
	bool faults, unattributed;
	bool classes[FAULT_COUNT];
};

static struct group_table look_at_groups(const struct run *run, bool brief)
{
	struct group_table about = {
		.run = run,
		.faults = run__has(run, HAS_PROCESS_FAULTS),
		.unattributed = run__has(run, HAS_FAULT_CLASSES) && !brief,
	};

	for (int class = 0; class < FAULT_COUNT; class++)
		about.classes[class] = !brief || class == FAULT_COW_COPY;
	return about;
}

static struct cell group_parent(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;

	return cell__exe(about->run, ((const struct group *)row)->parent_exe);
}

static struct cell group_exec_target(const void *subject, const void *row, int index)
{
	const struct group_table *about = subject;
	const struct group *group = row;

	return group->exec_target == NO_EXE ? cell__text("no exec") : cell__exe(about->run, group->exec_target);
}

static struct cell group_name(const void *subject, const void *row, int index)
{
	const struct run *run = ((const struct group_table *)subject)->run;

	return cell__group(run, (const struct group *)row - run->groups);
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
	{ "parent", COLUMN_TEXT, .cell = group_parent, .view = VIEW_DATA },
	{ "birth", WORD_BY(struct group, birth, birth_counters, key), .view = VIEW_DATA },
	{ "fate", COLUMN_TEXT, .cell = group_exec_target, .view = VIEW_DATA },
	{ "children", COUNT_OF(struct group, children) },
	{ "unfinished", COUNT_OF(struct group, unfinished), IF_ANY },
	{ "syscalls", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_SYSCALLS },
	{ "faults", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_FAULTS, WHEN(struct group_table, faults) },
	{ NULL, COLUMN_ESTIMATE, .cell = group_class, WHEN(struct group_table, classes), IF_ANY,
	  EACH_BY(fault_counters, header), .spare = 1 },
	{ "unattributed", COLUMN_ESTIMATE, .cell = group_metric, .index = METRIC_UNATTRIBUTED,
	  WHEN(struct group_table, unattributed), IF_ANY, .spare = 2 },
	{ "rounded", COLUMN_TEXT, .cell = group_rounded, .view = VIEW_DATA },
	{ "group", COLUMN_TEXT, .cell = group_name, .view = VIEW_READING },
};

static struct table *groups_table(const struct run *run, const struct group_picks *picks, bool brief)
{
	struct group_table about = look_at_groups(run, brief);
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

static char *calls_title(const struct run *run, const struct group *group, bool full)
{
	uint64_t children = group__children(group);
	char *title = names__group(run, group - run->groups, full);

	text__replace(&title, "System calls per child: %s (%s)", title,
		      quantity__count(children, "child", "children").text);
	return title;
}

struct group_call_line {
	double per_child;
	uint64_t calls, errors;
	struct cell name, errnos;
};

static const struct column group_call_columns[] = {
	{ "per child", NUMBER_OF(struct group_call_line, per_child), .decimals = 2 },
	{ "calls", COUNT_OF(struct group_call_line, calls) },
	{ "errors", COUNT_OF(struct group_call_line, errors), .unless_zero = true },
	{ "syscall", COLUMN_TEXT, CELL_OF(struct group_call_line, name) },
	{ "errnos", COLUMN_TEXT, CELL_OF(struct group_call_line, errnos), IF_ANY },
};

static struct table *group_calls_table(const struct run *run, const struct group *group,
				       const struct report_options *options)
{
	struct call_list list = call_list__of(&group->table, run->timed, options);
	struct table *table = table__titled(calls_title(run, group, false), calls_title(run, group, true));
	uint64_t children = group__children(group);

	TABLE_COLUMNS(table, group_call_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < list.count; i++) {
		uint64_t calls = syscall_row__sum(list.rows[i]->calls);
		const struct group_call_line line = {
			.per_child = (double)calls / (children ? children : 1),
			.calls = calls,
			.errors = syscall_row__sum(list.rows[i]->errors),
			.name = cell__call(list.rows[i]),
			.errnos = cell__errnos(list.rows[i], SIZE_MAX),
		};

		table__add(table, &line);
	}
	call_list__free(&list);
	return table;
}

static void print_groups(const struct run *run, const struct group_picks *picks, bool brief,
			 const struct table_output *output)
{
	autofree char *rest = group_picks__rest(run, picks);

	table__show(groups_table(run, picks, brief), output);
	if (rest)
		wrap__print(NULL, rest, 0, 0, output);
}

static void print_calls(const struct run *run, const struct report_options *options,
			const struct group_picks *picks, const struct table_output *output)
{
	size_t without_calls = picks->count - picks->with_calls;

	for (size_t i = 0; i < picks->with_calls; i++)
		table__show(group_calls_table(run, &run->groups[picks->order[i]], options), output);
	if (without_calls)
		fprintf(output->stream, "\n(system calls of %s: --show=groups)\n",
			quantity__count(without_calls, "more group", "more groups").text);
}

void report__print_main_groups(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	const bool brief = report__is_brief(options);
	const bool all = output->page || (options->show[SHOW_GROUPS] && !options->top);
	size_t most = room__of(options, ROWS_USUAL, ROWS_IN_FULL).rows;
	struct group_picks picks = group_picks__by_weight(run, all, most);

	print_groups(run, &picks, brief, output);
	if (!brief)
		print_calls(run, options, &picks, output);
	group_picks__free(&picks);
}

void report__print_all_groups(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	struct group_picks picks = group_picks__all(run);

	print_groups(run, &picks, false, output);
	print_calls(run, options, &picks, output);
	group_picks__free(&picks);
}

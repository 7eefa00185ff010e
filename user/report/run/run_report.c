// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

#include <stdlib.h>

#include "report/anatomy/anatomy_report.h"
#include "report/sections.h"

static void show_picks(const struct run *run, const struct report_options *options,
		       const struct group_picks *picks, const struct table_output *output)
{
	char *rest = group_picks__rest(run, picks);
	size_t untold = picks->count - picks->with_calls;

	table__show(report__groups(run, picks), output);
	if (rest)
		fprintf(output->stream, "%s\n", rest);
	for (size_t i = 0; i < picks->with_calls; i++)
		table__show(report__group_calls(run, &run->groups[picks->order[i]], options),
			    output);
	if (untold)
		fprintf(output->stream, "\n(system calls of %zu more %s: --all-groups)\n", untold,
			untold == 1 ? "group" : "groups");
	free(rest);
}

static void show_main_groups(const struct run *run, const struct report_options *options,
			     const struct table_output *output)
{
	struct group_picks picks = group_picks__by_weight(run, options->all_groups);

	show_picks(run, options, &picks, output);
	group_picks__free(&picks);
}

static void show_all_groups(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	struct group_picks picks = group_picks__all(run);

	show_picks(run, options, &picks, output);
	group_picks__free(&picks);
}

static bool has_anatomy(const struct run *run, const struct report_options *options)
{
	return run->anatomy;
}

static const struct section sections[] = {
	{ "run", .table = report__summary, .view = VIEW_DATA },
	{ "summary", .print = report__print_summary, .view = VIEW_READING },
	{ "system calls", .table = report__syscalls },
	{ "ways to count", .table = report__ways_to_count },
	{ "faults", .table = report__faults },
	{ "groups", .print = show_main_groups, .view = VIEW_READING },
	{ "groups", .print = show_all_groups, .view = VIEW_DATA },
	{ "processes", .table = report__processes },
	{ "tree", .table = report__tree },
	{ "executables", .table = report__executables, .view = VIEW_DATA },
	{ "executables", .table = report__executables, .view = VIEW_READING, .when = section__with_processes },
	{ "anatomy", .print = report__anatomy_tables, .when = has_anatomy },
	{ "integrity", .print = report__integrity },
};

void report__run(const struct run *run, const struct report_options *options,
		 const struct table_output *output)
{
	if (table_output__view(output) == VIEW_READING && report__is_explained(run))
		report__explain(run, options, output);
	else
		PRINT_SECTIONS(sections, run, options, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

#include <stdlib.h>

#include "report/anatomy/anatomy_report.h"
#include "report/report_sections.h"

static void print_picks(const struct run *run, const struct report_options *options,
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

void report__print_main_groups(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	struct group_picks picks = group_picks__by_weight(run, options->all_groups);

	print_picks(run, options, &picks, output);
	group_picks__free(&picks);
}

void report__print_all_groups(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	struct group_picks picks = group_picks__all(run);

	print_picks(run, options, &picks, output);
	group_picks__free(&picks);
}

static const struct section run_sections[] = {
#define TABLE SECTION_TABLE
#define PRINT SECTION_PRINT
#include "report/run/run_sections.def"
#undef TABLE
#undef PRINT
};

void report__run(const struct run *run, const struct report_options *options,
		 const struct table_output *output)
{
	if (table_output__view(output) == VIEW_READING && report__is_explained(run))
		report__explain(run, options, output);
	else
		PRINT_SECTIONS(run_sections, run, options, output);
}

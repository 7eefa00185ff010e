// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/tree/tree_times_report.h"

#include <stdio.h>

#include "report/report_sections.h"

bool section__if_tree_times(const struct run *run, const struct report_options *options)
{
	return run->tree_times;
}

/* In explain: it is recorded always, and asked for by name. */
bool section__if_many_programs(const struct run *run, const struct report_options *options)
{
	return run->tree_times && (report__is_tree(run) || options->show[SHOW_TREE_TIMES]);
}

/* One row each: where not all fits one screen, the sentence about all of them suffices. */
bool section__if_room_for_programs(const struct run *run, const struct report_options *options)
{
	return section__if_many_programs(run, options) && options->left_out < LEAVES_SECOND;
}

/* In a report of a run that was asked for it. */
void report__print_tree_times(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	putc('\n', output->stream);
	report__print_tree_answer(run, output);
	table__show(report__tree_parts(run, options), output);
	report__print_tree_programs(run, options, output);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "analysis/forks/fork_bills.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/picture/pictures.h"
#include "report/report_sections.h"

enum { CHILD_ROWS = 20, PARENT_ROWS = 5 };
enum { CHILD_STACKS = 6, PARENT_STACKS = 3 };
enum { STARTUP_PARTS = 8, CHILD_PARTS = 12 };

bool report__is_explained(const struct run *run)
{
	return run->anatomy && (run->anatomy->verdict || run->anatomy->advice_count);
}

/* Children of large programs fault on hundreds of pages, none of which stands out. */
static bool leaves_most_out(const struct run *run, const struct report_options *options,
			    uint32_t group)
{
	struct row_selection selection = row_selection__of(
		run->anatomy, group, PHASE_CHILD, report__row_order(options->sort), CHILD_ROWS);
	bool result = run->anatomy->durations ? 2 * selection.left_out_ns > selection.ns
					      : 2 * selection.left_out_faults > selection.faults;

	row_selection__free(&selection);
	return result;
}

static void explain_group(const struct run *run, const struct report_options *options,
			  const struct fork_bill *bill, const struct table_output *output)
{
	uint32_t group = bill->group;

	report__print_sample(run, group, output);
	table__show(report__anatomy(run, options, group, PHASE_CHILD, CHILD_ROWS), output);
	if (leaves_most_out(run, options, group))
		table__show(report__parts_by_section(run, group, PHASE_CHILD, CHILD_PARTS), output);
	table__show(report__stack_table(run, group, PHASE_CHILD, CHILD_STACKS), output);
	table__show(report__anatomy(run, options, group, PHASE_PARENT, PARENT_ROWS), output);
	table__show(report__stack_table(run, group, PHASE_PARENT, PARENT_STACKS), output);
	table__show(report__parts_by_section(run, group, PHASE_EXEC, STARTUP_PARTS), output);
	time_bar__print(run, bill, output);
	picture__waterfall(run, group, output);
	table__show(report__fork_times(run, group), output);
	report__print_fork_parent(run, group, output);
	page_map__print(run, group, false, output);
}

/* Explains the groups that advice looks at, but at least one. */
void report__explain_groups(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	struct fork_bills bills = fork_bills__of(run);
	struct report_options ranked = *options;
	size_t shown = bills.worthy, more;

	if (!shown)
		shown = bills.count > 0;
	if (options->all_groups)
		shown = bills.count;
	more = bills.count - shown;
	if (ranked.sort == SORT_DEFAULT)
		ranked.sort = SORT_TIME;
	for (size_t i = 0; i < shown; i++)
		explain_group(run, &ranked, &bills.bills[i], output);
	if (more)
		fprintf(output->stream,
			"\n(%zu more %s with less tax: --all-groups, --csv or --json)\n", more,
			more == 1 ? "group" : "groups");
	fork_bills__free(&bills);
}

void report__print_verdict(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	if (!run->anatomy->verdict)
		return;
	putc('\n', output->stream);
	wrap__print(NULL, run->anatomy->verdict, 0, 0, output);
}

static const struct section explain_sections[] = {
#include "report/anatomy/explain_sections.def"
};

void report__explain(const struct run *run, const struct report_options *options,
		     const struct table_output *output)
{
	PRINT_SECTIONS(explain_sections, run, options, output);
}

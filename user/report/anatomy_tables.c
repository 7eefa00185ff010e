// SPDX-License-Identifier: GPL-2.0-or-later
/* The anatomy behind the report of a run: every group that was recorded. */
#include <stdlib.h>

#include "format/wrap.h"
#include "report/anatomy.h"
#include "report/anatomy_report.h"
#include "report/page_map.h"
#include "report/show.h"
#include "report/time_bar.h"
#include "report/words_anatomy.h"

enum { MOST_GROUPS = 8, MOST_ROWS = 40, MOST_PARTS = 25 }; /* in text */

static void print_group(const struct run *run, const struct report_options *options, uint32_t group,
			const struct table_output *output)
{
	report__print_sample(run, group, output);
	report__show(report__anatomy(run, options, group, PHASE_CHILD, MOST_ROWS), output);
	report__show(report__anatomy(run, options, group, PHASE_PARENT, MOST_ROWS), output);
	report__show(report__startup(run, group, MOST_PARTS), output);
	time_bar__print(run, group, output);
	report__show(report__fork_times(run, options, group), output);
	report__print_fork_parent(run, group, output);
	page_map__print(run, group, true, output);
}

static void print_text(const struct run *run, const struct report_options *options,
		       const struct table_output *output)
{
	const struct anatomy *anatomy = run->anatomy;
	size_t shown = 0, left_out = 0;

	for (size_t i = 0; i < anatomy->sample_count; i++) {
		if (!anatomy->samples[i].children)
			continue;
		if (shown++ < MOST_GROUPS)
			print_group(run, options, anatomy->samples[i].group, output);
		else
			left_out++;
	}
	if (left_out)
		fprintf(output->stream, "\n(anatomy of %zu more groups: --csv or --json)\n", left_out);
	report__show(report__relocations(run, options), output);
	report__show(report__bindings(run, options), output);
	report__show(report__bound_symbols(run, options), output);
	report__print_costs(run, output);
	report__show(report__anatomy_books(run), output);
}

static void print_csv(const struct run *run, const struct report_options *options,
		      const struct table_output *output)
{
	report__show(report__samples(run, options), output);
	report__show(report__anatomy_rows(run), output);
	for (size_t i = 0; i < run->anatomy->fork_count; i++) {
		uint32_t group = run->anatomy->forks[i].group;

		report__show(report__fork_parts(run, options, group), output);
		report__show(report__fork_times(run, options, group), output);
	}
	report__show(report__fork_parents(run), output);
	report__show(report__page_maps(run), output);
	report__show(report__relocations(run, options), output);
	report__show(report__bindings(run, options), output);
	report__show(report__bound_symbols(run, options), output);
	report__show(report__costs(run), output);
	report__show(report__advice(run), output);
	report__show(report__anatomy_books(run), output);
}

void report__anatomy_tables(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	if (output->style == TABLE_CSV)
		print_csv(run, options, output);
	else
		print_text(run, options, output);
}

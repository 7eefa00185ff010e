// SPDX-License-Identifier: GPL-2.0-or-later
/* The anatomy behind the report of a run: every group that was recorded. */
#include <stdlib.h>

#include "analysis/forks/fork_breakdowns.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/picture/pictures.h"
#include "report/report_sections.h"

enum { MOST_GROUPS = 8, MOST_ROWS = 40, MOST_PARTS = 25, MOST_STACKS = 10 }; /* in text */

static void print_group(const struct run *run, const struct report_options *options, uint32_t group,
			const struct table_output *output)
{
	const struct room rows = room__of(options, 0, MOST_ROWS), parts = room__of(options, 0, MOST_PARTS);
	const struct room stacks = room__of(options, 0, MOST_STACKS);

	if (!output->page)
		report__print_sample(run, group, output);
	table__show(report__anatomy(run, options, group, PHASE_CHILD, rows), output);
	if (output->page) /* in the section of the faults */
		report__print_sample(run, group, output);
	table__show(report__stack_table(run, group, PHASE_CHILD, stacks), output);
	table__show(report__anatomy(run, options, group, PHASE_PARENT, rows), output);
	table__show(report__stack_table(run, group, PHASE_PARENT, stacks), output);
	table__show(report__parts_by_section(run, group, PHASE_EXEC, parts), output);
	table__show(report__stack_table(run, group, PHASE_EXEC, stacks), output);
	picture__waterfall(run, group, output);
	table__show(report__fork_times(run, group), output);
	report__print_fork_parent(run, group, output);
}

/* Roots, whose number is the largest, come first; groups in their order in the run. */
static int by_group(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left + 1, b = *(const uint32_t *)right + 1;

	return a < b ? -1 : a > b;
}

/* The recorded groups in order; to be freed. */
static uint32_t *recorded_groups(const struct anatomy *anatomy, size_t *count)
{
	uint32_t *groups = checked_calloc(anatomy->sample_count, sizeof(*groups));

	*count = 0;
	for (size_t i = 0; i < anatomy->sample_count; i++)
		if (anatomy->samples[i].children)
			groups[(*count)++] = anatomy->samples[i].group;
	qsort(groups, *count, sizeof(*groups), by_group);
	return groups;
}

void report__print_recorded_groups(const struct run *run, const struct report_options *options,
				   const struct table_output *output)
{
	const bool wants_all = options->show[SHOW_FORKS] && !options->formats[TABLE_HTML];
	size_t count;
	autofree uint32_t *groups = recorded_groups(run->anatomy, &count);
	size_t most = wants_all || count < MOST_GROUPS ? count : MOST_GROUPS;

	for (size_t i = 0; i < most; i++)
		print_group(run, options, groups[i], output);
	if (most < count)
		fprintf(output->stream, "\n(anatomy of %zu more%s)\n", count - most,
			room__hint(options, ": --show=forks, --csv or --json"));
}

static const struct section anatomy_sections[] = {
#include "report/anatomy/anatomy_sections.def"
};

void report__anatomy_tables(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	PRINT_SECTIONS(anatomy_sections, run, options, output);
}

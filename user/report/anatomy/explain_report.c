// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/memory.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy.h"
#include "report/anatomy/anatomy_picks.h"
#include "report/anatomy/anatomy_report.h"
#include "report/anatomy/page_map.h"
#include "report/anatomy/time_bar.h"
#include "report/run/run_report.h"
#include "report/show.h"

/* A second group is explained, too, if its forks take a tenth of the time of all. */
enum { MOST_GROUPS = 2, LEAST_SHARE = 10, CHILD_ROWS = 20, PARENT_ROWS = 5 };
enum { STARTUP_PARTS = 8, CHILD_PARTS = 12 };

bool report__is_explained(const struct run *run)
{
	return run->anatomy && (run->anatomy->verdict || run->anatomy->advice_count);
}

/* A group, and what all its forks together took. */
struct candidate {
	uint32_t group;
	double ns;
};

static double all_forks_ns(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	double children = run->groups[group].children + run->groups[group].unfinished;

	if (!cost)
		return 0;
	if (cost->complete)
		return (double)cost->whole.total / cost->complete * children;
	return cost->call.count ? (double)cost->call.total / cost->call.count * children : 0;
}

static int by_time(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

static struct candidate *candidates_of(const struct run *run, size_t *count)
{
	struct candidate *candidates = checked_calloc(run->group_count, sizeof(*candidates));

	*count = 0;
	for (uint32_t group = 0; group < run->group_count; group++) {
		const struct sample *sample = anatomy__sample(run->anatomy, group);

		if (sample && sample->children)
			candidates[(*count)++] =
				(struct candidate){ group, all_forks_ns(run, group) };
	}
	qsort(candidates, *count, sizeof(*candidates), by_time);
	return candidates;
}

/* Children of large programs fault on hundreds of pages, none of which stands out. */
static bool leaves_most_out(const struct run *run, const struct report_options *options,
			    uint32_t group)
{
	struct anatomy_picks picks =
		anatomy_picks__of(run, group, PHASE_CHILD, options->sort, CHILD_ROWS);
	bool result = run->anatomy->durations ? 2 * picks.left_out_ns > picks.ns
					      : 2 * picks.left_out_faults > picks.faults;

	anatomy_picks__free(&picks);
	return result;
}

static void explain_group(const struct run *run, const struct report_options *options,
			  uint32_t group, const struct table_output *output)
{
	report__print_sample(run, group, output);
	report__show(report__anatomy(run, options, group, PHASE_CHILD, CHILD_ROWS), output);
	if (leaves_most_out(run, options, group))
		report__show(report__sections(run, group, PHASE_CHILD, CHILD_PARTS), output);
	report__show(report__anatomy(run, options, group, PHASE_PARENT, PARENT_ROWS), output);
	report__show(report__sections(run, group, PHASE_EXEC, STARTUP_PARTS), output);
	time_bar__print(run, group, output);
	report__show(report__fork_times(run, options, group), output);
	report__print_fork_parent(run, group, output);
	page_map__print(run, group, false, output);
}

static void explain_groups(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	struct report_options ranked = *options;
	struct candidate *candidates;
	size_t count, shown = 0;
	double all = 0;

	if (ranked.sort == SORT_DEFAULT)
		ranked.sort = SORT_TIME;
	candidates = candidates_of(run, &count);
	for (size_t i = 0; i < count; i++)
		all += candidates[i].ns;
	while (shown < count &&
	       (options->all_groups || !shown ||
		(shown < MOST_GROUPS && candidates[shown].ns * LEAST_SHARE >= all)))
		explain_group(run, &ranked, candidates[shown++].group, output);
	if (shown < count)
		fprintf(output->stream, "\n(%zu more %s of less time: --all-groups, --csv or --json)\n",
			count - shown, count - shown == 1 ? "group" : "groups");
	free(candidates);
}

static void print_verdict(const struct run *run, const struct table_output *output)
{
	if (!run->anatomy->verdict)
		return;
	putc('\n', output->stream);
	wrap__print(NULL, run->anatomy->verdict, 0, 0, output);
}

void report__explain(const struct run *run, const struct report_options *options,
		     const struct table_output *output)
{
	report__print_summary(run, options, output);
	print_verdict(run, output);
	explain_groups(run, options, output);
	report__show(report__processes(run, options), output);
	report__show(report__tree(run, options), output);
	if (options->per_child || options->tree)
		report__show(report__executables(run, options), output);
	report__show(report__bindings(run, options), output);
	report__show(report__bound_symbols(run, options), output);
	report__print_binding_cost(run, output);
	report__show(report__against(run), output);
	report__print_against(run, output);
	putc('\n', output->stream);
	report__print_advice(run, output);
	report__print_costs(run, output);
	report__print_anatomy_books(run, output);
	report__integrity(run, options, output);
}

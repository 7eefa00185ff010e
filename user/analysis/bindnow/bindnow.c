// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow.h"

#include <math.h>
#include <string.h>

#include "analysis/explained.h"
#include "base/autofree.h"
#include "base/memory.h"

/* What is measured of a traced run; NAN: not counted, or nothing to count. */
typedef double measure_fn(const struct run *run);

/* The faults that the command's own image takes, however often it forks. */
static double start_faults(const struct run *run)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy ? anatomy__sample(anatomy, NO_GROUP) : NULL;
	uint64_t faults;

	if (!sample || sample->missed || sample->beyond)
		return NAN;
	faults = sample->unattributed;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == NO_GROUP && row->phase == PHASE_EXEC)
			faults += row->faults;
	}
	return (double)faults;
}

static double first_fork_ns(const struct run *run)
{
	const struct process *root = run->process_count ? &run->processes[0] : NULL;
	uint64_t first = ABSENT;

	if (!run__has(run, HAS_CLOCK))
		return NAN;
	for (size_t i = 1; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		if (process->parent == root->id && process->start_ns < first)
			first = process->start_ns;
	}
	return first == ABSENT ? NAN : (double)(first - root->start_ns);
}

/* Of each child: the faults that its parent takes because of it. */
static double parent_copies(const struct run *run, uint32_t group)
{
	double sum = 0;

	if (!run->anatomy || !anatomy__sample(run->anatomy, group))
		return NAN;
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (row->group == group && row->phase == PHASE_PARENT)
			sum += anatomy__per_child(run->anatomy, row);
	}
	return sum;
}

/* Of one child, whatever its group; its parent's copies included. */
static double child_faults(const struct run *run)
{
	double sum = 0;

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		if (group->children)
			sum += (double)group->of[METRIC_FAULTS].total + parent_copies(run, i) * (double)group->children;
	}
	return run__has(run, HAS_PROCESS_FAULTS) ? sum / (double)run__children(run) : NAN; /* 0 / 0 is NAN */
}

/* From fork to wait, of children whose end was seen by their parent; their medians, for times have long tails. */
static double child_ns(const struct run *run)
{
	double children = 0, sum = 0;

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		const struct fork_cost *cost = run->anatomy ? anatomy__fork_cost(run->anatomy, i) : NULL;

		if (!group->children || !cost || !cost->whole.count)
			continue;
		sum += (double)cost->whole.median * (double)group->children;
		children += (double)group->children;
	}
	return children ? sum / children : NAN;
}

static double all_faults(const struct run *run)
{
	return run__has(run, HAS_FAULTS) ? (double)run->faults.total : NAN;
}

/* With LD_BIND_NOW minus without, paired; unknown if one run does not know it. */
static struct estimate difference(const struct comparison *comparison, measure_fn *of)
{
	const struct compare_column *lazy = &comparison->columns[SIDE_LAZY], *now = &comparison->columns[SIDE_NOW];
	const size_t runs = lazy->run_count; /* of each */
	autofree double *before = checked_calloc(runs, sizeof(*before)), *after = checked_calloc(runs, sizeof(*after));

	for (size_t i = 0; i < runs; i++) {
		before[i] = of(lazy->runs[i]);
		after[i] = of(now->runs[i]);
		if (isnan(before[i]) || isnan(after[i]))
			return (struct estimate){ .known = false };
	}
	return stats__median_difference(after, before, runs);
}

/* With LD_BIND_NOW minus without, of the untraced time of the whole. */
static struct estimate whole_time(const struct bindnow *bindnow)
{
	return comparison__difference(bindnow->comparison, SIDE_NOW);
}

static struct break_even break_even(const struct bindnow *bindnow, measure_fn *start, measure_fn *child)
{
	return break_even__of(difference(bindnow->comparison, start),
			      estimate__negate(difference(bindnow->comparison, child)));
}

/* The start is known of traced runs alone; what is left of the whole is the children's. */
static struct break_even break_even_in_time(const struct bindnow *bindnow)
{
	const struct estimate start = difference(bindnow->comparison, first_fork_ns);
	const struct break_even even = break_even__of_whole(start, whole_time(bindnow), bindnow->children);

	return even.saving.known && even.saving.bounded ? even : break_even(bindnow, first_fork_ns, child_ns);
}

/* Of a difference: the most that it may be either way; 0: unknown. */
static double most_of(struct estimate estimate)
{
	return estimate.known ? fmax(fabs(estimate.value), fmax(fabs(estimate.low), fabs(estimate.high))) : 0;
}

/* By all children, as far as the recorded ones tell. */
static double bound_again(const struct run *run)
{
	double functions = 0;

	for (size_t i = 0; i < run->anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &run->anatomy->symbols[i];
		const struct sample *sample = anatomy__sample(run->anatomy, symbol->group);

		if (sample && sample->children && symbol->group < run->group_count)
			functions += (double)symbol->children / (double)sample->children *
				     (double)run->groups[symbol->group].children;
	}
	return functions;
}

/* Faults and functions may cost so much; a function is looked up in each file, at worst. NAN: that is not known. */
static double explained_time(const struct bindnow *bindnow)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];
	const struct run *run = lazy->run_count ? lazy->runs[0] : NULL;
	const double start = most_of(difference(bindnow->comparison, start_faults));
	double functions;

	if (!run || !run->anatomy || !bindnow_files__are_known(bindnow->files))
		return NAN;
	functions = (double)bindnow_files__functions(bindnow->files) * (1 + (double)run->totals[LIFE_EXECS]) +
		    bound_again(run);
	return explained__most(2 * start + most_of(bindnow->faults), functions * (double)bindnow->files->count,
			       run->anatomy->costs);
}

static struct bindnow_verdict judge(const struct bindnow *bindnow)
{
	const struct bindnow_evidence evidence = {
		.may_matter = bindnow__may_matter(bindnow),
		.ratio = *comparison__ratio(bindnow->comparison, SIDE_NOW),
		.time = whole_time(bindnow),
		.explained = bindnow->explained_ns,
		.faults = bindnow->faults,
	};

	return bindnow_verdict__of(&evidence);
}

static bool are_alike(char **one, char **other)
{
	while (*one && *other && !strcmp(*one, *other)) {
		one++;
		other++;
	}
	return !*one && !*other;
}

bool bindnow__is_of(const struct comparison *comparison)
{
	const struct compare_column *lazy = &comparison->columns[SIDE_LAZY], *now = &comparison->columns[SIDE_NOW];

	return comparison->column_count == SIDE_COUNT && comparison->baseline == SIDE_LAZY && lazy->bound &&
	       (!lazy->settings || are_alike(lazy->settings, (char *[]){ BINDNOW_LAZY, NULL })) && now->settings &&
	       are_alike(now->settings, (char *[]){ BINDNOW_NOW, NULL }) && are_alike(lazy->command, now->command) &&
	       lazy->measurement == now->measurement && lazy->run_count == now->run_count;
}

struct bindnow bindnow__of(const struct comparison *comparison)
{
	const struct compare_column *lazy = &comparison->columns[SIDE_LAZY];
	struct bindnow bindnow = {
		.comparison = comparison,
		.files = lazy->bound,
		.children = lazy->run_count ? (double)run__children(lazy->runs[0]) : NAN,
		.faults = difference(comparison, all_faults),
	};

	bindnow.in_time = break_even_in_time(&bindnow);
	bindnow.in_faults = break_even(&bindnow, start_faults, child_faults);
	bindnow.explained_ns = explained_time(&bindnow);
	bindnow.verdict = judge(&bindnow);
	return bindnow;
}

bool bindnow__may_matter(const struct bindnow *bindnow)
{
	for (size_t i = 0; i < bindnow->files->count; i++) {
		enum bindnow_way way = bindnow->files->files[i].way;

		if (way == WAY_LAZY || way == WAY_UNKNOWN)
			return true;
	}
	return bindnow->files->left_out > 0;
}

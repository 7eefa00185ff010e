// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_measures.h"

#include <math.h>

const char *const bindnow_section_keys[BINDNOW_SECTION_COUNT] = {
	[BINDNOW_START] = "start",
	[BINDNOW_GROUP] = "group",
	[BINDNOW_CHILD] = "child",
	[BINDNOW_ALL] = "all",
};

/* Of the command itself. */

static double relocations(const struct bindnow_subject *subject)
{
	double all = bindnow_files__relocations(subject->files, 0, RELOC_KIND_COUNT - 1, false);

	if (subject->is_now)
		return all;
	return all - bindnow_files__relocations(subject->files, RELOC_JUMP_SLOT, RELOC_JUMP_SLOT, true);
}

static double left_lazy(const struct bindnow_subject *subject)
{
	double left = bindnow_files__relocations(subject->files, RELOC_JUMP_SLOT, RELOC_JUMP_SLOT, true);

	return !subject->is_now || isnan(left) ? left : 0;
}

static double if_counted(const struct run *run, enum run_data data, double value)
{
	return run__has(run, data) ? value : NAN;
}

static double own_faults(const struct bindnow_subject *subject)
{
	return if_counted(subject->run, HAS_PROCESS_FAULTS, (double)subject->run->root_faults.total);
}

static double own_ld_so(const struct bindnow_subject *subject)
{
	return if_counted(subject->run, HAS_FAULT_CLASSES,
			  (double)faults__actor(&subject->run->root_faults, ACTOR_LDSO));
}

/* The first write to a page takes one fault of these classes. */
static double own_dirtied(const struct bindnow_subject *subject)
{
	const uint64_t *classes = subject->run->root_faults.by[ACTOR_LDSO];

	return if_counted(subject->run, HAS_FAULT_CLASSES,
			  (double)(classes[FAULT_FILE_COW] + classes[FAULT_COW_COPY] + classes[FAULT_ZERO_FILL]));
}

/* The faults that the command's own image takes, however often it forks. */
static double start_faults(const struct bindnow_subject *subject)
{
	const struct anatomy *anatomy = subject->run->anatomy;
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

static double first_fork(const struct bindnow_subject *subject)
{
	const struct run *run = subject->run;
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

/* Of one child of a group. */

static double by_ld_so(const struct bindnow_subject *subject, const struct faults *faults)
{
	return if_counted(subject->run, HAS_FAULT_CLASSES,
			  (double)faults__actor(faults, ACTOR_LDSO) / (double)group__children(subject->group));
}

static double group_ld_so(const struct bindnow_subject *subject)
{
	return subject->group ? by_ld_so(subject, &subject->group->inherited) : NAN;
}

static double group_ld_so_exec(const struct bindnow_subject *subject)
{
	return subject->group && subject->group->exec_target != NO_EXE
		       ? by_ld_so(subject, &subject->group->execd) : NAN;
}

static double group_median(const struct bindnow_subject *subject)
{
	return subject->group && run__counts(subject->run, subject->index)
		       ? (double)subject->group->of[subject->index].median : NAN;
}

static double parent_copies(const struct run *run, const struct group *group)
{
	uint32_t index = (uint32_t)(group - run->groups);
	double sum = 0;

	if (!run->anatomy || !anatomy__sample(run->anatomy, index))
		return NAN;
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (row->group == index && row->phase == PHASE_PARENT)
			sum += anatomy__per_child(run->anatomy, row);
	}
	return sum;
}

static double group_parent(const struct bindnow_subject *subject)
{
	return subject->group ? parent_copies(subject->run, subject->group) : NAN;
}

/* NULL: nothing was recorded of any of its children, or of no child all pages that tell. */
static const struct sample *group_sample(const struct bindnow_subject *subject)
{
	const struct run *run = subject->run;
	const struct sample *sample = subject->group && run->anatomy
					      ? anatomy__sample(run->anatomy, (uint32_t)(subject->group - run->groups))
					      : NULL;

	return sample && sample->children && sample->unseen_pages != ABSENT ? sample : NULL;
}

/*
 * Of one generation, or (GENERATION_COUNT) of all; only groups with several generations have something to
 * tell apart. No known symbol means nothing as long as some pages were not compared.
 */
static double group_symbols(const struct bindnow_subject *subject)
{
	const struct sample *sample = group_sample(subject);
	const bool all = subject->index == GENERATION_COUNT;
	double bound = 0, children = 0;

	if (sample && (all || sample__is_mixed(sample)))
		children = (double)(all ? sample->children : sample->generations[subject->index]);
	for (size_t i = 0; children && i < subject->run->anatomy->symbol_count; i++) {
		const struct binding_symbol *symbol = &subject->run->anatomy->symbols[i];

		if (symbol->group == sample->group)
			bound += (double)(all ? symbol->children : symbol->generations[subject->index]);
	}
	return bound || (children && !sample->unseen_pages) ? bound / children : NAN;
}

static double group_unseen(const struct bindnow_subject *subject)
{
	const struct sample *sample = group_sample(subject);

	return sample ? (double)sample->unseen_pages : NAN;
}

static double whole_time(const struct run *run, const struct group *group)
{
	const struct fork_cost *cost =
		run->anatomy ? anatomy__fork_cost(run->anatomy, (uint32_t)(group - run->groups)) : NULL;

	return cost && cost->whole.count ? (double)cost->whole.median : NAN;
}

static double group_time(const struct bindnow_subject *subject)
{
	return subject->group ? whole_time(subject->run, subject->group) : NAN;
}

/* Of one child, whatever its group. */

static double child_faults(const struct bindnow_subject *subject)
{
	const struct run *run = subject->run;
	double sum = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		if (group->children)
			sum += (double)group->of[METRIC_FAULTS].total +
			       parent_copies(run, group) * (double)group->children;
	}
	return if_counted(run, HAS_PROCESS_FAULTS, sum / (double)run__children(run)); /* 0 / 0 is NAN */
}

/* Children whose end was seen by their parent; their medians, for times have long tails. */
static double child_time(const struct bindnow_subject *subject)
{
	const struct run *run = subject->run;
	double children = 0, sum = 0;

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		double time = group->children ? whole_time(run, group) : NAN;

		if (isnan(time))
			continue;
		sum += time * (double)group->children;
		children += (double)group->children;
	}
	return children ? sum / children : NAN;
}

/* Of all processes. */

static double all_faults(const struct bindnow_subject *subject)
{
	return if_counted(subject->run, HAS_FAULTS, (double)subject->run->faults.total);
}

const struct bindnow_measure bindnow_measures[] = {
	{ BINDNOW_START, "relocations", "relocations at start", false, relocations, 0 },
	{ BINDNOW_START, "left_lazy", "functions left to first call", false, left_lazy, 0 },
	{ BINDNOW_START, "faults", "page faults", false, own_faults, 0 },
	{ BINDNOW_START, "faults_ld_so", "  by ld.so", false, own_ld_so, 0 },
	{ BINDNOW_START, "start_faults", "page faults of the start", false, start_faults, 0 },
	{ BINDNOW_START, "pages_ld_so", "pages dirtied by ld.so", false, own_dirtied, 0 },
	{ BINDNOW_START, "first_fork_ns", "time to the first fork", true, first_fork, 0 },
	{ BINDNOW_GROUP, "faults", "page faults", false, group_median, METRIC_FAULTS },
	{ BINDNOW_GROUP, "cow_copy", "  COW copies", false, group_median,
	  METRIC_CLASS + FAULT_COW_COPY },
	{ BINDNOW_GROUP, "faults_ld_so", "  by ld.so", false, group_ld_so, 0 },
	{ BINDNOW_GROUP, "faults_ld_so_exec", "  by ld.so after exec", false, group_ld_so_exec, 0 },
	{ BINDNOW_GROUP, "parent_faults", "copies in the parent", false, group_parent, 0 },
	{ BINDNOW_GROUP, BINDNOW_SYMBOLS, "functions bound again", false, group_symbols,
	  GENERATION_COUNT },
	{ BINDNOW_GROUP, "symbols_children", "  by children", false, group_symbols,
	  GENERATION_CHILD },
	{ BINDNOW_GROUP, "symbols_grandchildren", "  by grandchildren", false,
	  group_symbols, GENERATION_GRANDCHILD },
	{ BINDNOW_GROUP, "symbols_later", "  by later generations", false,
	  group_symbols, GENERATION_LATER },
	{ BINDNOW_GROUP, BINDNOW_UNSEEN, "  pages not compared", false, group_unseen, 0 },
	{ BINDNOW_GROUP, "whole_ns", "time, fork to reaped", true, group_time, 0 },
	{ BINDNOW_CHILD, "faults", "page faults, parent's included", false, child_faults, 0 },
	{ BINDNOW_CHILD, "whole_ns", "time, fork to reaped", true, child_time, 0 },
	{ BINDNOW_ALL, "faults", "page faults, traced", false, all_faults, 0 },
	{ .of = NULL },
};

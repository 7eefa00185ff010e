// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of a log: groups, distributions and tables of the run. */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "source/strace/life.h"

static int by_size(const void *left, const void *right)
{
	const struct life_group *a = *(const struct life_group *const *)left;
	const struct life_group *b = *(const struct life_group *const *)right;
	uint64_t a_size = group__children(&a->is), b_size = group__children(&b->is);

	if (a_size != b_size)
		return a_size < b_size ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static void describe_calls(struct life_group *group)
{
	struct distribution *calls = &group->is.of[METRIC_SYSCALLS];
	uint64_t children = group->is.children;

	calls->total = group->total;
	if (!children)
		return;
	calls->min = histogram__at(&group->calls, 0);
	calls->median = histogram__at(&group->calls, quantile__rank(children, 500));
	calls->max = histogram__at(&group->calls, children - 1);
	if (children == 1)
		calls->min = calls->median = calls->max = group->total;
	calls->rounded = children > 1 && calls->max > DIST_EXACT;
}

static void move_groups(struct life *life, const struct call_kinds *kinds)
{
	autofree struct life_group **order = checked_calloc(life->group_count, sizeof(struct life_group *));
	/* By the number that a stream knows a group by: 0 are the roots. */
	autofree uint32_t *positions = checked_calloc(life->group_count + 1, sizeof(*positions));
	struct run *run = life->run;

	positions[0] = NO_GROUP;
	for (size_t i = 0; i < life->group_count; i++)
		order[i] = &life->groups[i];
	qsort(order, life->group_count, sizeof(struct life_group *), by_size);
	run->groups = checked_calloc(life->group_count, sizeof(*run->groups));
	run->group_count = life->group_count;
	for (size_t i = 0; i < life->group_count; i++) {
		positions[order[i] - life->groups + 1] = i;
		describe_calls(order[i]);
		kind_counts__table(&order[i]->counts, kinds, &order[i]->is.table);
		run->groups[i] = order[i]->is;
	}
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].group != NO_GROUP)
			run->processes[i].group = positions[run->processes[i].group + 1];
	if (life->stream)
		call_stream__finish(life->stream, positions, life->group_count + 1);
}

static void move_tables(struct life *life, struct call_kinds *kinds)
{
	struct run *run = life->run;
	struct kind_counts all = { 0 };

	kind_counts__table(&life->roots, kinds, &run->root_table);
	kind_counts__add(&all, &life->roots);
	for (size_t i = 0; i < life->group_count; i++)
		kind_counts__add(&all, &life->groups[i].counts);
	kind_counts__table(&all, kinds, &run->table);
	call_kinds__times(kinds, &run->table);
	kind_counts__free(&all);
}

static bool is_root(const void *processes, size_t index, const void *unused)
{
	(void)unused;
	return !((const struct process *)processes)[index].parent;
}

static bool is_born_before(const void *processes, size_t index, const void *id)
{
	return ((const struct process *)processes)[index].id < *(const uint64_t *)id;
}

/* What the first process created before its own pid was known. Those without a parent come first. */
static void complete_ppids(struct run *run)
{
	const size_t roots = bisect(run->processes, run->process_count, is_root, NULL);

	for (size_t i = roots; i < run->process_count; i++) {
		struct process *process = &run->processes[i];
		const size_t parent = bisect(run->processes, roots, is_born_before, &process->parent);

		if (!process->ppid && !process->reparented && parent < roots &&
		    run->processes[parent].id == process->parent)
			process->ppid = run->processes[parent].pid;
	}
}

void life__finish(struct life *life, struct call_kinds *kinds)
{
	struct run *run = life->run;

	life__leave_all(life);
	move_tables(life, kinds);
	run__sort_processes(run);
	move_groups(life, kinds);
	complete_ppids(run);
}

void life__free(struct life *life)
{
	life__leave_all(life);
	for (size_t i = 0; i < life->group_count; i++) {
		kind_counts__free(&life->groups[i].counts);
		histogram__free(&life->groups[i].calls);
	}
	hash__release(&life->exes);
	hash__release(&life->group_numbers);
	free(life->groups);
	hash__release(&life->tasks);
	kind_counts__free(&life->roots);
}

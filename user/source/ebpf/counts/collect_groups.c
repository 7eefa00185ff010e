// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups and the distributions over their children. The kernel numbers groups from 1 in the order
 * in which it met them; the model lists them by size. `positions` maps the one to the other.
 */
#include "source/ebpf/counts/collect.h"

#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct dist_entry {
	struct dist_key key;
	uint64_t children;
};

struct group_entry {
	struct group_key key;
	struct group_value value;
};

struct group_walk {
	struct dist_entry dist_now;
	struct dist_entry *dist;
	size_t dist_count;

	struct group_entry group_now;
	struct group_entry *groups;
	size_t group_count;
};

static void visit_distribution(void *context)
{
	struct group_walk *walk = context;

	walk->dist = checked_grow(walk->dist, walk->dist_count, sizeof(*walk->dist));
	walk->dist[walk->dist_count++] = walk->dist_now;
}

/* The value that the kernel half keeps beside the group. */
static void add_usual(struct group_walk *walk, unsigned int metric)
{
	const struct usual_value *usual = &walk->group_now.value.usual[metric];

	if (!usual->children)
		return;
	walk->dist_now = (struct dist_entry){
		.key = { walk->group_now.value.index, metric, usual->value },
		.children = usual->children,
	};
	visit_distribution(walk);
}

static void visit_group(void *context)
{
	struct group_walk *walk = context;

	walk->groups = checked_grow(walk->groups, walk->group_count, sizeof(*walk->groups));
	walk->groups[walk->group_count++] = walk->group_now;
	for (unsigned int metric = 0; metric < METRIC_COUNT; metric++)
		add_usual(walk, metric);
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *left, const void *right)
{
	const struct dist_key *a = &((const struct dist_entry *)left)->key;
	const struct dist_key *b = &((const struct dist_entry *)right)->key;

	if (a->group != b->group)
		return order_of(a->group, b->group);
	if (a->metric != b->metric)
		return order_of(a->metric, b->metric);
	return order_of(a->value, b->value);
}

static int by_size(const void *left, const void *right)
{
	const struct group_value *a = &((const struct group_entry *)left)->value;
	const struct group_value *b = &((const struct group_entry *)right)->value;

	if (!a->index != !b->index) /* roots last */
		return order_of(!a->index, !b->index);
	if (a->children + a->unfinished != b->children + b->unfinished)
		return order_of(b->children + b->unfinished, a->children + a->unfinished);
	return order_of(a->first, b->first);
}

/* The value of the child at `rank` (from 0) when children are ordered; zeros are not stored. */
static uint64_t at_rank(const struct dist_entry *entries, size_t count, uint64_t zeros, uint64_t rank)
{
	if (rank < zeros)
		return 0;
	rank -= zeros;
	for (size_t i = 0; i < count; i++) {
		if (rank < entries[i].children)
			return entries[i].key.value;
		rank -= entries[i].children;
	}
	return 0;
}

/* The lower median: a value that some child really had. */
static void describe_metric(struct distribution *distribution, const struct dist_entry *entries,
			    size_t count, uint64_t total, uint64_t children)
{
	uint64_t nonzero = 0;

	*distribution = (struct distribution){ .total = total };
	if (!children)
		return;
	if (children == 1) {
		distribution->min = distribution->median = distribution->max = total;
		return;
	}
	for (size_t i = 0; i < count; i++)
		nonzero += entries[i].children;
	distribution->min = at_rank(entries, count, children - nonzero, 0);
	distribution->median = at_rank(entries, count, children - nonzero, quantile__rank(children, 500));
	distribution->max = at_rank(entries, count, children - nonzero, children - 1);
	distribution->rounded = distribution->max > DIST_EXACT;
}

static void describe_group(struct group *group, const struct group_value *value,
			   const struct dist_entry *entries, size_t count)
{
	for (unsigned int metric = 0; metric < METRIC_COUNT; metric++) {
		size_t first = 0, length = 0;

		while (first < count && entries[first].key.metric < metric)
			first++;
		while (first + length < count && entries[first + length].key.metric == metric)
			length++;
		describe_metric(&group->of[metric], entries + first, length, value->sums[metric], value->children);
	}
}

static void fill_group(struct group *group, const struct group_entry *entry, const struct group_walk *walk)
{
	size_t first = 0, count = 0;

	*group = (struct group){
		.parent_exe = exe_position(entry->key.parent_exe),
		.exec_target = exe_position(entry->key.exec_target),
		.birth = entry->key.birth,
		.children = entry->value.children,
		.unfinished = entry->value.unfinished,
		.inherited = entry->value.inherited.faults,
		.execd = entry->value.execd.faults,
	};
	while (first < walk->dist_count && walk->dist[first].key.group < entry->value.index)
		first++;
	while (first + count < walk->dist_count && walk->dist[first + count].key.group == entry->value.index)
		count++;
	describe_group(group, &entry->value, walk->dist + first, count);
}

static void add_roots(struct run *run, const struct group_value *roots)
{
	run->root_faults = roots->inherited.faults; /* attached images */
	faults__add(&run->root_faults, &roots->execd.faults);
}

void collect__groups(const struct forktax_bpf *skeleton, struct run *run,
		     uint32_t **group_positions, uint32_t *group_count)
{
	struct group_walk walk = {};

	map_walk(skeleton->maps.distribution, &walk.dist_now.key, &walk.dist_now.children, visit_distribution, &walk);
	map_walk(skeleton->maps.groups, &walk.group_now.key, &walk.group_now.value, visit_group, &walk);
	if (walk.dist_count) /* qsort() wants no NULL, not even for nothing */
		qsort(walk.dist, walk.dist_count, sizeof(*walk.dist), by_key);
	qsort(walk.groups, walk.group_count, sizeof(*walk.groups), by_size);

	*group_count = skeleton->bss->last_group + 1;
	*group_positions = checked_calloc(*group_count, sizeof(**group_positions));
	run->groups = checked_calloc(walk.group_count, sizeof(*run->groups));
	memset(*group_positions, 0xff, *group_count * sizeof(**group_positions));
	for (size_t i = 0; i < walk.group_count; i++) {
		const struct group_entry *entry = &walk.groups[i];
		struct group *group = &run->groups[run->group_count];

		run->integrity.losses[LOSS_UNFINISHED] += entry->value.unfinished;
		if (!entry->value.index) {
			add_roots(run, &entry->value);
			continue;
		}
		fill_group(group, entry, &walk);
		faults__add(&run->faults, &group->inherited);
		faults__add(&run->faults, &group->execd);
		(*group_positions)[entry->value.index] = run->group_count++;
	}
	faults__add(&run->faults, &run->root_faults);
	free(walk.dist);
	free(walk.groups);
}

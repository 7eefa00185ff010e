// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes below those that created them. Nothing here recurses: trees may be deep. */
#include "base/autofree.h"
#include "report/run/run_report.h"

#include "base/memory.h"

/* Links between the elements of run.processes. */
struct node {
	size_t parent, first_child, next_sibling;
	size_t place; /* in that order */
};

struct by_id {
	uint64_t id;
	size_t index;
};

static int compare_ids(const void *left, const void *right)
{
	uint64_t a = ((const struct by_id *)left)->id, b = ((const struct by_id *)right)->id;

	return a < b ? -1 : a > b;
}

static void find_parents(const struct run *run, struct node *nodes)
{
	autofree struct by_id *order = checked_calloc(run->process_count, sizeof(*order));

	for (size_t i = 0; i < run->process_count; i++)
		order[i] = (struct by_id){ run->processes[i].id, i };
	qsort(order, run->process_count, sizeof(*order), compare_ids);
	for (size_t i = 0; i < run->process_count; i++) {
		struct by_id key = { .id = run->processes[i].parent };
		struct by_id *parent = bsearch(&key, order, run->process_count, sizeof(*order), compare_ids);

		nodes[i].parent = key.id && parent ? parent->index : NO_PLACE;
	}
}

static struct node *link_nodes(const struct run *run, size_t *first_root)
{
	struct node *nodes = checked_calloc(run->process_count, sizeof(*nodes));

	*first_root = NO_PLACE;
	find_parents(run, nodes);
	for (size_t i = 0; i < run->process_count; i++)
		nodes[i].first_child = NO_PLACE;
	/* From the end, so that each list comes out in order of birth. */
	for (size_t i = run->process_count; i-- > 0;) {
		size_t parent = nodes[i].parent;
		size_t *list = parent == NO_PLACE ? first_root : &nodes[parent].first_child;

		nodes[i].next_sibling = *list;
		*list = i;
	}
	return nodes;
}

static size_t next_in_order(const struct node *nodes, size_t at)
{
	if (nodes[at].first_child != NO_PLACE)
		return nodes[at].first_child;
	while (nodes[at].next_sibling == NO_PLACE) {
		at = nodes[at].parent;
		if (at == NO_PLACE)
			return NO_PLACE;
	}
	return nodes[at].next_sibling;
}

struct process_place *process_tree__of(const struct run *run, size_t *count)
{
	struct process_place *places = checked_calloc(run->process_count, sizeof(*places));
	autofree struct node *nodes = NULL;
	size_t at;

	*count = 0;
	nodes = link_nodes(run, &at);
	for (; at != NO_PLACE; at = next_in_order(nodes, at)) {
		size_t parent = nodes[at].parent;

		nodes[at].place = *count;
		places[(*count)++] = (struct process_place){ at, parent == NO_PLACE ? NO_PLACE : nodes[parent].place };
	}
	return places;
}

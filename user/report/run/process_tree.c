// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes below those that created them. Any depth: nothing here calls itself. */
#include <err.h>
#include <stdlib.h>

#include "report/run/run_report.h"
#include "report/words.h"

#define NONE SIZE_MAX

/* Links between the elements of run.processes. */
struct node {
	size_t parent, first_child, next_sibling;
	size_t row; /* in the table */
};

struct by_id {
	uint64_t id;
	size_t index;
};

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);

	if (!memory)
		err(125, "cannot draw the tree of processes");
	return memory;
}

static int compare_ids(const void *left, const void *right)
{
	uint64_t a = ((const struct by_id *)left)->id, b = ((const struct by_id *)right)->id;

	return a < b ? -1 : a > b;
}

static void find_parents(const struct run *run, struct node *nodes)
{
	struct by_id *order = room(run->process_count, sizeof(*order));

	for (size_t i = 0; i < run->process_count; i++)
		order[i] = (struct by_id){ run->processes[i].id, i };
	qsort(order, run->process_count, sizeof(*order), compare_ids);
	for (size_t i = 0; i < run->process_count; i++) {
		struct by_id key = { .id = run->processes[i].parent };
		struct by_id *parent = bsearch(&key, order, run->process_count, sizeof(*order),
					       compare_ids);

		nodes[i].parent = key.id && parent ? parent->index : NONE;
	}
	free(order);
}

static struct node *link_nodes(const struct run *run, size_t *first_root)
{
	struct node *nodes = room(run->process_count, sizeof(*nodes));

	*first_root = NONE;
	find_parents(run, nodes);
	for (size_t i = 0; i < run->process_count; i++)
		nodes[i].first_child = NONE;
	/* From the end, so that each list comes out in order of birth. */
	for (size_t i = run->process_count; i-- > 0;) {
		size_t parent = nodes[i].parent;
		size_t *list = parent == NONE ? first_root : &nodes[parent].first_child;

		nodes[i].next_sibling = *list;
		*list = i;
	}
	return nodes;
}

static size_t next_in_order(const struct node *nodes, size_t at)
{
	if (nodes[at].first_child != NONE)
		return nodes[at].first_child;
	while (nodes[at].next_sibling == NONE) {
		at = nodes[at].parent;
		if (at == NONE)
			return NONE;
	}
	return nodes[at].next_sibling;
}

static void add_process(struct table *table, const struct run *run, const struct process *process,
			bool full)
{
	char *images = words__images(run, process, full);
	char *exit = words__exit(process->status, process->signal, process->finished);
	struct faults faults;

	process__faults(process, &faults);
	table__text(table, images);
	table__count(table, process->pid);
	table__text(table, birth_counters[process->birth].key);
	table__text(table, exit);
	table__count(table, process__syscalls(process));
	table__count(table, faults.total);
	free(images);
	free(exit);
}

static void add_columns(struct table *table)
{
	table__column(table, "process", ALIGN_LEFT);
	table__column(table, "pid", ALIGN_RIGHT);
	table__column(table, "birth", ALIGN_LEFT);
	table__column(table, "exit", ALIGN_LEFT);
	table__column(table, "syscalls", ALIGN_RIGHT);
	table__column(table, "faults", ALIGN_RIGHT);
}

struct table *report__tree(const struct run *run, const struct report_options *options)
{
	struct table *table;
	struct node *nodes;
	size_t at;

	if (!options->tree)
		return NULL;
	table = table__new(run->all_processes ? "Process tree"
					      : "Process tree (only the first of each group was kept)");
	add_columns(table);
	nodes = link_nodes(run, &at);
	for (; at != NONE; at = next_in_order(nodes, at)) {
		nodes[at].row = table__rows(table);
		if (nodes[at].parent == NONE)
			table__row(table);
		else
			table__row_below(table, nodes[nodes[at].parent].row);
		add_process(table, run, &run->processes[at], options->csv);
	}
	free(nodes);
	return table;
}

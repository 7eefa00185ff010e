// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/fault_tree.h"

#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/anatomy/words_anatomy.h"

/* The child of that name, made if need be. Takes over the name. */
static struct fault_node *child_named(struct fault_node *node, char *name, enum fault_class class)
{
	struct fault_node *child;

	for (size_t i = node->child_count; i-- > 0;) {
		child = &node->children[i];
		if (child->class == class && !strcmp(child->name, name)) {
			free(name);
			return child;
		}
	}
	node->children = checked_grow(node->children, node->child_count, sizeof(*node->children));
	child = &node->children[node->child_count++];
	*child = (struct fault_node){ .name = name, .class = class };
	return child;
}

/* Faults of a row: all, or those of one call stack. */
struct weighed {
	const struct anatomy_row *row;
	double faults, ns;
};

static void add(struct fault_node *node, const struct weighed *weighed)
{
	node->weights[WEIGHT_FAULTS] += weighed->faults;
	if (fault_class__copies(weighed->row->class))
		node->weights[WEIGHT_COPIES] += weighed->faults;
	node->weights[WEIGHT_NS] += weighed->ns;
}

/* Goes one level down. Takes over the name. */
static struct fault_node *enter(struct fault_node *node, char *name, const struct weighed *weighed)
{
	node = child_named(node, name, weighed->row->class);
	add(node, weighed);
	return node;
}

static char *object_name(const struct run *run, const struct place *place)
{
	return place__has_object(place) ? names__object(run, place->object, false)
					: text__of("%s", place_counters[place->kind].header);
}

/* A level that is not known is left out. */
static char *copy_of(const char *name)
{
	return name ? checked_strdup(name) : NULL;
}

/* Returns the node of what was touched. */
static struct fault_node *add_row(struct fault_node *root, const struct run *run, const struct anatomy_row *row)
{
	const struct weighed all = { row, row->faults, anatomy_row__all_ns(row) };
	autofree char *whose = names__group(run, row->group, false);
	char *const path[] = {
		text__of("%s", fault_counters[row->class].header),
		object_name(run, &row->place),
		copy_of(row->place.section),
		copy_of(row->place.symbol),
	};
	struct fault_node *node = root;

	add(root, &all);
	node = child_named(node, text__of("%s: %s", whose, phase_counters[row->phase].header), FAULT_COUNT);
	add(node, &all);
	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++)
		if (path[i])
			node = enter(node, path[i], &all);
	return node;
}

/* Returns the node of the code that faulted: that of the stack, or what is known of a row without one. */
static struct fault_node *add_code(struct fault_node *node, const struct run *run, const struct weighed *weighed,
				   const struct call_stack *stack)
{
	const struct anatomy_row *row = weighed->row;
	autofree char *code = stack ? words__code_in(run, row, stack) : words__code(run, row);

	return enter(node, text__of("%s %s%s", actor_counters[row->actor].header, *code ? "<- " : "", code), weighed);
}

/* Below the code that faulted, its callers; the kernel's code has been called from the innermost frame. */
static void add_stack(struct fault_node *node, const struct run *run, const struct weighed *weighed,
		      const struct call_stack *stack)
{
	node = add_code(node, run, weighed, stack);
	for (size_t i = weighed->row->actor != ACTOR_KERNEL; i < stack->frame_count; i++)
		node = enter(node, words__frame(run, stack, i), weighed);
	if (stack->stop != STOP_WHOLE)
		enter(node, text__of("(callers not known)"), weighed);
}

/* The shares of a row follow each other from `first` on. Returns where those of the next begin. */
static size_t add_shares(struct fault_node *node, const struct run *run, size_t row, size_t first)
{
	const struct stacks *stacks = run->anatomy->stacks;
	struct weighed rest = { .row = &run->anatomy->rows[row] };
	size_t i;

	rest.faults = rest.row->faults;
	rest.ns = anatomy_row__all_ns(rest.row);
	for (i = first; stacks && i < stacks->share_count && stacks->shares[i].row == row; i++) {
		const struct stack_share *share = &stacks->shares[i];
		const struct weighed part = { rest.row, share->faults, stack_share__ns(share, rest.row) };

		add_stack(node, run, &part, &stacks->list[share->stack]);
		rest.faults -= part.faults;
		rest.ns -= part.ns;
	}
	if (rest.faults <= 0)
		return i;
	node = add_code(node, run, &rest, NULL);
	if (stacks)
		enter(node, text__of("(no call stack)"), &rest);
	return i;
}

struct fault_node *fault_tree__of(const struct run *run)
{
	struct fault_node *root = checked_calloc(1, sizeof(*root));
	size_t share = 0;

	root->name = text__of("all recorded faults");
	root->class = FAULT_COUNT;
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		struct fault_node *touched = add_row(root, run, &run->anatomy->rows[i]);

		share = add_shares(touched, run, i, share);
	}
	return root;
}

size_t fault_tree__depth(const struct fault_node *root)
{
	size_t most = 0;

	for (size_t i = 0; i < root->child_count; i++) {
		const size_t depth = fault_tree__depth(&root->children[i]);

		most = depth > most ? depth : most;
	}
	return most + 1;
}

static void free_below(struct fault_node *node)
{
	for (size_t i = 0; i < node->child_count; i++)
		free_below(&node->children[i]);
	free(node->children);
	free(node->name);
}

void fault_tree__free(struct fault_node *root)
{
	free_below(root);
	free(root);
}

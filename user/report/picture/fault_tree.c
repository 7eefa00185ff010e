// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/fault_tree.h"

#include <string.h>

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

static void add(struct fault_node *node, const struct anatomy_row *row)
{
	node->weights[WEIGHT_FAULTS] += row->faults;
	if (fault_class__copies(row->class))
		node->weights[WEIGHT_COPIES] += row->faults;
	node->weights[WEIGHT_NS] += anatomy_row__all_ns(row);
}

static char *object_name(const struct run *run, const struct place *place)
{
	return place__has_object(place) ? words__object(run, place->object, false)
					: text__of("%s", place_counters[place->kind].header);
}

/* A level that is not known is left out. */
static char *copy_of(const char *name)
{
	return name ? checked_strdup(name) : NULL;
}

static void add_row(struct fault_node *root, const struct run *run, const struct anatomy_row *row)
{
	char *whose = words__group(run, row->group, false), *code = words__code(run, row);
	char *const path[] = {
		text__of("%s: %s", whose, phase_counters[row->phase].header),
		text__of("%s", fault_counters[row->class].header),
		object_name(run, &row->place),
		copy_of(row->place.section),
		copy_of(row->place.symbol),
		text__of("%s %s%s", actor_counters[row->actor].header, *code ? "<- " : "", code),
	};
	struct fault_node *node = root;

	add(root, row);
	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		if (!path[i])
			continue;
		node = child_named(node, path[i], i ? row->class : FAULT_COUNT);
		add(node, row);
	}
	free(whose);
	free(code);
}

struct fault_node *fault_tree__of(const struct run *run)
{
	struct fault_node *root = checked_calloc(1, sizeof(*root));

	root->name = text__of("all recorded faults");
	root->class = FAULT_COUNT;
	for (size_t i = 0; i < run->anatomy->row_count; i++)
		add_row(root, run, &run->anatomy->rows[i]);
	return root;
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

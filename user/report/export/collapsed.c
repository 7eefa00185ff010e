// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collapsed stacks: a line for each stack, its frames from the root on with semicolons between them, a
 * blank and a whole number (flamegraph.pl, speedscope).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "report/picture/fault_tree.h"

/* A semicolon would begin another frame. */
static char *frame_of(const char *name)
{
	char *safe = escape__text(name, true);

	for (char *at = safe; (at = strchr(at, ';'));)
		*at = ',';
	return safe;
}

static void write_node(const struct fault_node *node, const char *above, FILE *stream)
{
	autofree char *frame = frame_of(node->name), *stack = NULL;

	stack = above ? text__of("%s;%s", above, frame) : checked_strdup(frame);
	if (!node->child_count)
		fprintf(stream, "%s %" PRIu64 "\n", stack, (uint64_t)node->weights[WEIGHT_FAULTS]);
	for (size_t i = 0; i < node->child_count; i++)
		write_node(&node->children[i], stack, stream);
}

void export__collapsed(const struct run *run, FILE *stream)
{
	struct fault_node *root = fault_tree__of(run);

	for (size_t i = 0; i < root->child_count; i++)
		write_node(&root->children[i], NULL, stream);
	fault_tree__free(root);
}

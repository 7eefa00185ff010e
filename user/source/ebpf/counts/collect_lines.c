// SPDX-License-Identifier: GPL-2.0-or-later
/* Children by the line of the script that created them. */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct line_walk {
	const struct forktax_bpf *skeleton;
	struct script_lines *lines;
	struct script_line_key key;
	struct script_line_value value;
};

/* NULL: none. */
static char *name_of(const struct forktax_bpf *skeleton, uint64_t key)
{
	struct script_name name;

	if (!key || bpf_map__lookup_elem(skeleton->maps.script_names, &key, sizeof(key), &name, sizeof(name), 0))
		return NULL;
	return strndup(name.text, sizeof(name.text));
}

/* What FUNCNAME calls a file that is sourced is no function. */
static char *function_of(const struct forktax_bpf *skeleton, uint64_t key)
{
	char *name = name_of(skeleton, key);

	if (!name || strcmp(name, "source") != 0)
		return name;
	free(name);
	return NULL;
}

static void visit_line(void *context)
{
	struct line_walk *walk = context;
	const struct script_line_key *key = &walk->key;
	struct script_line line = {
		.source = SCRIPT_UNKNOWN,
		.parent_exe = exe_position(key->parent_exe),
		.exec_target = exe_position(key->exec_target),
		.birth = key->birth,
		.children = walk->value.children,
		.unfinished = walk->value.unfinished,
		.life_ns = walk->value.ns,
	};

	if (key->source == SCRIPT_NO_FILE)
		line.source = SCRIPT_COMMANDS;
	else if ((line.file = name_of(walk->skeleton, key->source)))
		line.source = SCRIPT_FILE;
	if (line.source != SCRIPT_UNKNOWN) {
		line.line = key->line;
		line.function = function_of(walk->skeleton, key->function);
	}
	walk->lines->rows = checked_grow(walk->lines->rows, walk->lines->count, sizeof(line));
	walk->lines->rows[walk->lines->count++] = line;
}

static int by_children(const void *left, const void *right)
{
	const struct script_line *a = left, *b = right;

	if (a->children != b->children)
		return (a->children < b->children) - (a->children > b->children);
	if (a->line != b->line)
		return (a->line > b->line) - (a->line < b->line);
	return (a->exec_target > b->exec_target) - (a->exec_target < b->exec_target);
}

void collect__lines(const struct forktax_bpf *skeleton, struct run *run)
{
	struct script_lines *lines = checked_calloc(1, sizeof(*lines));
	struct line_walk walk = { .skeleton = skeleton, .lines = lines };

	map_walk(skeleton->maps.script_lines, &walk.key, &walk.value, visit_line, &walk);
	if (lines->count)
		qsort(lines->rows, lines->count, sizeof(*lines->rows), by_children);
	lines->left_out = skeleton->bss->lines_left_out;
	run->lines = lines;
}

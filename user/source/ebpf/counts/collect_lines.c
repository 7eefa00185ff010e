// SPDX-License-Identifier: GPL-2.0-or-later
/* Children by the line of the script that created them. */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct line_walk {
	const struct forktax_bpf *skeleton;
	struct script_lines *lines;
	struct script_line_key key;
	struct script_line_value value;
	struct hash files; /* numbers of those in `lines`, by the keys of their names */
	double epoch; /* CLOCK_REALTIME when CLOCK_MONOTONIC was 0 */
};

static bool find_name(const struct forktax_bpf *skeleton, uint64_t key, struct script_name *name)
{
	return key && !bpf_map__lookup_elem(skeleton->maps.script_names, &key, sizeof(key), name, sizeof(*name), 0);
}

static char *copy_name(const struct script_name *name)
{
	return checked(strndup(name->text, sizeof(name->text)));
}

/* What FUNCNAME calls a file that is sourced is no function. */
static char *function_of(const struct forktax_bpf *skeleton, uint64_t key)
{
	struct script_name name;

	return find_name(skeleton, key, &name) && strcmp(name.text, "source") != 0 ? copy_name(&name) : NULL;
}

static void add_file(struct line_walk *walk, uint64_t key, const struct script_name *name)
{
	struct script_lines *lines = walk->lines;
	const struct opened_file *opened = &name->file;

	if (hash__number(&walk->files, &key, sizeof(key)) < lines->file_count)
		return;
	lines->files = checked_grow(lines->files, lines->file_count, sizeof(*lines->files));
	lines->files[lines->file_count++] = (struct script_file){
		.name = copy_name(name),
		.dev = opened->dev,
		.ino = opened->ino,
		.size = opened->size,
		.opened = opened->ino ? (uint64_t)(walk->epoch + opened->ns) : 0,
		.has_others = opened->others,
	};
}

/* Line `number` of commands, as bash counts them. */
static char *line_of(const char *commands, size_t size, uint32_t number)
{
	const char *end = commands + strnlen(commands, size), *line = commands;

	if (!number)
		return NULL;
	for (const char *next; --number; line = next + 1) {
		next = memchr(line, '\n', end - line);
		if (!next)
			return NULL;
	}
	return script_line__cut(line, strcspn(line, "\n"));
}

/* Where the line is: in a file, or in commands. */
static void find_source(struct line_walk *walk, struct script_line *line, const struct script_line_key *key)
{
	struct script_commands commands;
	struct script_name name;

	if (find_name(walk->skeleton, key->source, &name)) {
		line->source = SCRIPT_FILE;
		line->file = copy_name(&name);
		add_file(walk, key->source, &name);
	} else if (key->source) {
		line->source = SCRIPT_COMMANDS;
		if (!bpf_map__lookup_elem(walk->skeleton->maps.script_commands, &key->source, sizeof(key->source),
					  &commands, sizeof(commands), 0))
			line->text = line_of(commands.text, sizeof(commands.text), key->line);
	}
}

/* The line of a recipe as make has it, up to its end. */
static char *recipe_of(const struct line_walk *walk, const struct script_line_key *key)
{
	struct script_name text;

	if (!find_name(walk->skeleton, key->text, &text))
		return NULL;
	return script_line__cut(text.text, strcspn(text.text, "\n"));
}

static void visit_line(void *context)
{
	struct line_walk *walk = context;
	const struct script_line_key *key = &walk->key;

	if (!walk->value.children) /* children of make were counted there until it waited for them */
		return;

	struct script_line line = {
		.source = SCRIPT_UNKNOWN,
		.certainty = LINE_UNSURE,
		.parent_exe = exe_position(key->parent_exe),
		.exec_target = exe_position(key->exec_target),
		.birth = key->birth,
		.children = walk->value.children,
		.unfinished = walk->value.unfinished,
		.life_ns = walk->value.ns,
	};

	find_source(walk, &line, key);
	if (line.source != SCRIPT_UNKNOWN) {
		line.language = key->language;
		line.source_key = key->source;
		line.certainty = key->certainty;
		line.line = key->line;
		line.function_line = key->function_line;
		line.recipe = recipe_of(walk, key);
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
	struct line_walk walk = { .skeleton = skeleton, .lines = lines,
				  .epoch = clock__ns(CLOCK_REALTIME) - clock__now_ns() };

	map_walk(skeleton->maps.script_lines, &walk.key, &walk.value, visit_line, &walk);
	if (lines->count)
		qsort(lines->rows, lines->count, sizeof(*lines->rows), by_children);
	hash__release(&walk.files);
	lines->left_out = skeleton->bss->lines_left_out;
	run->lines = lines;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the times of a tree: schema forktax/1. */
#include "base/text.h"
#include "model/run/run_fields.h"

static const struct words part_words = WORDS_OF(tree_counters);
static const struct field nanoseconds = { .kind = FIELD_COUNT };

static char *row_law(const struct scope *scope)
{
	const struct tree_row *row = scope->self;

	if (row->no_entry > row->images)
		return text__of("a row of the tree's times has more images without a first instruction than images");
	return row->cpu_ns[TREE_REAP] ? text__of("an ended process has CPU time") : NULL;
}

#define S struct tree_row
static const struct field tree_row_fields[] = {
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	BOOL("executed", executed,
	     .note = "false: copies that forks made of it, of processes that never executed a program"),
	COUNT("images", images, .note = "that have ended"),
	COUNT("no_entry", no_entry, .note = "of these: the first instruction was not seen, so init is part of work"),
	COUNT("reaped", reaped, .note = "processes that a parent was seen to wait for"),
	MAP("cpu_ns", cpu_ns, part_words, nanoseconds, .closed = true, .note = "of all threads"),
	MAP("wall_ns", wall_ns, part_words, nanoseconds, .closed = true, .note = "of the first thread of each process"),
};
static const struct shape tree_row_shape = SHAPE_OF(tree_row, .law = row_law,
	.note = "what the time of the images of a program is spent on; parts: counters.md, \"Parts of a tree\"");
#undef S

#define S struct tree_times
static const struct field tree_times_fields[] = {
	LIST("rows", rows, count, tree_row_shape, .lines = true),
	COUNT("cpu_ns", cpu_ns, .note = "CPU time of all threads that have ended, as the kernel counts it"),
	COUNT("unfinished", unfinished, .note = "threads that had not ended: nothing of them is in this"),
	COUNT("left_out", left_out, .note = "threads and images that found no room"),
};
const struct shape tree_times_shape = SHAPE_OF(tree_times,
	.note = "what the time of the tree of processes is spent on, by program (--tree-times)");
#undef S

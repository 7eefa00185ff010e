// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs that were executed, by their arguments. */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/memory.h"
#include "source/ebpf/counts/collect.h"
#include "source/ebpf/counts/exe_paths.h"
#include "source/ebpf/counts/map_walk.h"

struct execution_walk {
	const struct script_lines *lines;
	struct executions *executions;
	uint64_t key;
	struct execution_value value;
};

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint32_t line_of(const struct script_lines *lines, const struct execution_value *value)
{
	if (value->line && lines)
		for (size_t i = 0; i < lines->count; i++)
			if (lines->rows[i].source_key == value->source && lines->rows[i].line == value->line)
				return i;
	return NO_LINE;
}

static void add_arguments(struct execution *row, const char *text, size_t size)
{
	for (const char *argument = text, *end = text + size; argument < end;) {
		const size_t length = strnlen(argument, end - argument);

		row->arguments = checked_grow(row->arguments, row->argument_count, sizeof(*row->arguments));
		row->arguments[row->argument_count++] = checked(strndup(argument, length));
		argument += length + 1;
	}
}

static void visit_execution(void *context)
{
	struct execution_walk *walk = context;
	struct executions *executions = walk->executions;
	const struct execution_value *value = &walk->value;
	struct execution row = {
		.exe = exe_position(value->exe),
		.parent_exe = exe_position(value->parent_exe),
		.line = line_of(walk->lines, value),
		.bytes = value->length,
		.hash = value->hash,
		.count = value->count,
		.fed = lesser(value->fed, value->count),
		.input_most_bytes = value->input_most,
		.captured = lesser(value->captured, value->count),
		.same_output = value->mixed ? 0 : value->same,
		.cpu_ns = value->cpu,
		.wall_ns = value->share >> SHARE_BITS,
	};

	add_arguments(&row, value->text, lesser(value->length, EXECUTION_TEXT));
	executions->rows = checked_grow(executions->rows, executions->count, sizeof(row));
	executions->rows[executions->count++] = row;
}

static int by_wall(const void *left, const void *right)
{
	const struct execution *a = left, *b = right;

	if (a->wall_ns != b->wall_ns)
		return (a->wall_ns < b->wall_ns) - (a->wall_ns > b->wall_ns);
	return (a->hash > b->hash) - (a->hash < b->hash);
}

void collect__executions(const struct forktax_bpf *skeleton, struct run *run)
{
	struct executions *executions = checked_calloc(1, sizeof(*executions));
	struct execution_walk walk = { .lines = run->lines, .executions = executions };

	map_walk(skeleton->maps.executions, &walk.key, &walk.value, visit_execution, &walk);
	if (executions->count)
		qsort(executions->rows, executions->count, sizeof(*executions->rows), by_wall);
	executions->left_out = skeleton->bss->executions_left_out;
	run->executions = executions;
}

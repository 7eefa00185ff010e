// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of executed programs: schema forktax/1. */
#include "base/text.h"
#include "model/run/run_fields.h"

static size_t lines_of_run(const struct scope *scope)
{
	const struct run *run = scope__root(scope);

	return run->lines ? run->lines->count : 0;
}

static const void *is_cut(const struct scope *scope, union computed *computed)
{
	computed->flag = !execution__is_whole(scope->self);
	return computed;
}

static char *row_law(const struct scope *scope)
{
	const struct execution *row = scope->self;

	return row->fed > row->count || row->captured > row->count || row->same_output > row->captured
		       ? text__of("a program has read or written in more executions than there are")
		       : NULL;
}

static char *executions_law(const struct scope *scope)
{
	const struct executions *executions = scope->self;
	const struct run *run = scope__root(scope);
	uint64_t ns = 0;

	for (size_t i = 0; i < executions->count; i++)
		ns += executions->rows[i].wall_ns;
	return run->bill && ns > run->bill->wall_ns ? text__of("executions have more than the clock of the run") : NULL;
}

#define S struct execution
static const struct field execution_fields[] = {
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	INDEX("parent_exe", parent_exe, run__exes, NULLABLE, .note = "the same, of the program that has forked"),
	INDEX("line", line, lines_of_run, NULLABLE,
	      .note = "index into rows of lines, one with the same line; null: not known when the program began"),
	TEXT("named", named, NULLABLE,
	     .note = "lines of the script that name the program, where its line is not known"),
	VALUES("arguments", arguments, argument_count, text_element,
	       .note = "those in the first 512 bytes, from the name on"),
	COMPUTED("cut", FIELD_BOOL, is_cut, .note = "there are more bytes"),
	COUNT("bytes", bytes, .note = "of all arguments, each with its NUL"),
	IDENTITY("hash", hash, .note = "of their number, and of the first 4096"),
	COUNT("count", count, .note = "executions that succeeded"),
	COUNT("fed", fed, .note = "of these, how many have read from standard input"),
	COUNT("input_most_bytes", input_most_bytes, .note = "that one has read there"),
	COUNT("captured", captured, .note = "of those that have ended: a pipe took the output, not the command's own"),
	COUNT("same_output", same_output,
	      .note = "that have written the same to a pipe as the first; 0: that wrote nothing, or not only there"),
	COUNT("cpu_ns", cpu_ns, .note = "with the fork that made each, and with its copies that execute nothing"),
	COUNT("wall_ns", wall_ns, .note = "the same, part of the clock of the run"),
};
static const struct shape execution_shape = SHAPE_OF(execution, .law = row_law,
	.note = "executions of a program with the same arguments, in one directory, by one program");
#undef S

#define S struct executions
static const struct field executions_fields[] = {
	LIST("rows", rows, count, execution_shape, .lines = true, .note = "the largest first"),
	COUNT("left_out", left_out, .note = "executions that found no room, or whose arguments could not be read"),
};
const struct shape executions_shape = SHAPE_OF(executions, .law = executions_law,
	.note = "programs that were executed, by their arguments (explain, --tree-times)");
#undef S

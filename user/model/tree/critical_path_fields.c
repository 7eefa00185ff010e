// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the critical path: schema forktax/1. */
#include "base/text.h"
#include "model/run/run_fields.h"

static const struct words part_words = WORDS_OF(path_part_keys);
static const struct words language_words = WORDS_OF(script_language_keys);
static const struct words link_words = WORDS_OF(path_link_keys);
static const struct field nanoseconds = { .kind = FIELD_COUNT };

static size_t lines_of_path(const struct scope *scope)
{
	const struct critical_path *path = scope->outer->self;

	return path->line_count;
}

static char *step_law(const struct scope *scope)
{
	const struct path_step *step = scope->self;

	return step->begin_ns > step->end_ns || path__sum(step->ns) != step->end_ns - step->begin_ns
		       ? text__of("the parts of a step of the critical path are not its duration")
		       : NULL;
}

static char *path_law(const struct scope *scope)
{
	const struct critical_path *path = scope->self;
	uint64_t programs = 0, steps = path->left_out_ns, end = 0;

	for (size_t i = 0; i < path->program_count; i++)
		programs += path__sum(path->programs[i].ns);
	for (size_t i = 0; i < path->step_count; i++) {
		if (path->steps[i].begin_ns < end)
			return text__of("two steps of the critical path are at the same time");
		end = path->steps[i].end_ns;
		steps += path__sum(path->steps[i].ns);
	}
	return programs != path->wall_ns || steps != path->wall_ns
		       ? text__of("the parts of the critical path are not the wall time of the command")
		       : NULL;
}

#define PARTS MAP("ns", ns, part_words, nanoseconds, .closed = true, \
		  .note = "cpu: on a CPU; ready: waits for one; device: sleeps until an interrupt; others: until a " \
			  "process outside of the tree, or the kernel, wakes it; unknown")
#define EXECUTED BOOL("executed", executed, .note = "false: copies that forks made of it")

#define S struct path_program
static const struct field path_program_fields[] = {
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	EXECUTED,
	COUNT("steps", steps),
	PARTS,
};
static const struct shape path_program_shape = SHAPE_OF(path_program,
	.note = "what is on the critical path of one program");
#undef S

#define S struct path_line
static const struct field path_line_fields[] = {
	KEY("language", language, language_words, .note = "of the script"),
	TEXT("file", file, NULLABLE, .note = "as the shell knows it; null: commands of -c, or of standard input"),
	TEXT("function", function, NULLABLE, .note = "null: in none, or unknown"),
	INTEGER("line", line, 0, UINT32_MAX, .note = "LINENO of the shell; 0: in a trap"),
	COUNT("steps", steps),
	PARTS,
	COUNT("total_ns", total_ns, .note = "of all that is below it: what other lines have created there, too"),
	COUNT("outer_ns", outer_ns, .note = "of total_ns, where it is below no other line"),
};
static const struct shape path_line_shape = SHAPE_OF(path_line,
	.note = "what is on the critical path of the processes that a line of a script created, and of those below "
		"them");
#undef S

#define S struct path_step
static const struct field path_step_fields[] = {
	COUNT("process", process, .note = "id"),
	INTEGER("pid", pid, INT32_MIN, INT32_MAX),
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	EXECUTED,
	KEY("link", link, link_words,
	    .note = "why it follows the step before: exec: the same process has executed a program; birth: that "
		    "process has created this one; wake: it has woken this one"),
	INTEGER("call_nr", call_nr, -1, INT32_MAX,
		.note = "of a wake: the call in which it slept; -1: none, or unknown"),
	KEY("call_abi", call_abi, abi_words),
	INDEX("line", line, lines_of_path, NULLABLE, .note = "index into lines"),
	COUNT("begin_ns", begin_ns, .note = "since the command began"),
	COUNT("end_ns", end_ns),
	PARTS,
};
static const struct shape path_step_shape = SHAPE_OF(path_step, .law = step_law,
	.note = "a stretch of the critical path in one program of one process");
#undef S

#define S struct critical_path
static const struct field critical_path_fields[] = {
	COUNT("wall_ns", wall_ns, .note = "of the command"),
	LIST("programs", programs, program_count, path_program_shape, .lines = true),
	LIST("lines", lines, line_count, path_line_shape, .lines = true),
	LIST("steps", steps, step_count, path_step_shape, .lines = true, .note = "the longest, in order of time"),
	COUNT("steps_left_out", steps_left_out, .note = "shorter ones"),
	COUNT("left_out_ns", left_out_ns, .note = "of these"),
};
const struct shape critical_path_shape = SHAPE_OF(critical_path, .law = path_law,
	.note = "what the command waited for at each moment (explain)");
#undef S

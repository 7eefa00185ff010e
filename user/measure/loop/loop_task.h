/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A loop program as a task: it is given a number of operations, performs them, and says on one
 * line how long they took (docs/howto-bench-program.md).
 */
#ifndef FORKTAX_MEASURE_LOOP_LOOP_TASK_H
#define FORKTAX_MEASURE_LOOP_LOOP_TASK_H

#include "measure/task.h"
#include "model/run.h"

/* The figures of the line, "forktax-loop operations=N elapsed_ns=N ...". */
struct loop_line {
	uint64_t operations;
	double elapsed_ns;
	double values[BENCH_METRIC_COUNT]; /* NAN: not told */
};

/*
 * Finds the line in all that a program wrote to stdout. Returns 0, or -1 and stores a reason (to be
 * freed): no such line, two of them, a figure that is missing, unknown or no number.
 */
int loop_line__parse(const char *output, struct loop_line *line, char **reason);

/* Counts of a traced run, per operation; fills what it can of per_op. */
typedef void loop_count_fn(const struct run *run, uint64_t operations, double per_op[PER_OP_COUNT]);

struct loop_program {
	const char *path;
	char *const *arguments; /* NULL-terminated, without argv[0]; NULL: none */
	const char *const *environment; /* "NAME=value" to be added to ours; NULL: none */
	loop_count_fn *count; /* NULL: loop_count__children */
};

/*
 * All is copied. The program is run as PATH ARGUMENTS... -n COUNT. To be freed by ops->free, which
 * bench_plan__free() does.
 */
struct bench_task *loop_task__new(const struct loop_program *program);
/* The same as a command line for people, to be freed: for bench_cell.command. */
char *loop_program__command(const struct loop_program *program, uint64_t count);

/* Means over the children of the largest group of the run: what an operation creates. */
loop_count_fn loop_count__children;

#endif

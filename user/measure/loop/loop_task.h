/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A loop program as a task: it gets a number of operations, performs them, and prints a line that says
 * how long they took (docs/use/howto-bench-program.md).
 */
#ifndef FORKTAX_MEASURE_LOOP_LOOP_TASK_H
#define FORKTAX_MEASURE_LOOP_LOOP_TASK_H

#include "measure/task.h"
#include "model/run/run.h"

/* The figures of the line, "forktax-loop operations=N elapsed_ns=N ...". */
struct loop_line {
	uint64_t operations;
	double elapsed_ns;
	double values[BENCH_METRIC_COUNT]; /* NAN: not reported */
};

/*
 * Finds the line in the output of a program. Returns 0, or -1 and stores a reason (to be freed): no
 * such line, two of them, or a figure that is missing, unknown or not a number.
 */
int loop_line__parse(const char *output, struct loop_line *line, char **reason);

/* Fills what it can of per_op from the counts of a traced run. */
typedef void loop_count_fn(const struct run *run, uint64_t operations, double per_op[PER_OP_COUNT]);

struct loop_program {
	const char *path;
	char *const *arguments; /* NULL-terminated, without argv[0]; NULL: none */
	const char *const *environment; /* "NAME=value" to be added to ours; NULL: none */
	loop_count_fn *count; /* NULL: loop_count__children */
};

/*
 * Copies the description. The program is run as PATH ARGUMENTS... -n COUNT. Freed with its plan, by
 * ops->free.
 */
struct bench_task *loop_task__new(const struct loop_program *program);
/* The command line for bench_cell.command, to be freed; count 0: without -n. */
char *loop_program__command(const struct loop_program *program, uint64_t count);

/* How a program is traced that performs operations. */
struct trace_request loop_trace__request(char **argv, char **environment, const struct interrupt *interrupt);

/* Means per operation over all children of the run. */
loop_count_fn loop_count__children;

#endif

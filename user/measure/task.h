/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How one cell of a bench is measured: the interface between the engine (rounds, warm-up, calibration,
 * progress, Ctrl-C) and the thing measured. A loop program needs no code of its own: see loop_task.h.
 */
#ifndef FORKTAX_MEASURE_TASK_H
#define FORKTAX_MEASURE_TASK_H

#include <stdint.h>

#include "model/bench/bench.h"

struct interrupt; /* interrupt.h */

/* The result of one round of one cell. */
struct bench_sample {
	uint64_t operations; /* number done */
	double elapsed_ns; /* for all of them; > 0 */
	double values[BENCH_METRIC_COUNT]; /* NAN: not measured; the engine sets that of time */
	double helper_ns; /* CPU time that a thread of the kernel used for it: not that of others */
};

enum bench_outcome {
	TASK_DONE,
	TASK_FAILED, /* stores a reason (to be freed): the cell is given up, the others go on */
	TASK_INTERRUPTED, /* by a signal: everything ends, what is complete is kept */
};

struct bench_task;

struct bench_task_ops {
	/*
	 * Performs `count` operations, untraced. Leaves no process behind, whatever the outcome.
	 * All values of `sample` are NAN before, and the rest is 0.
	 */
	enum bench_outcome (*measure)(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				      struct bench_sample *sample, char **reason);
	/*
	 * Performs about `count` operations traced, and fills per_op (all NAN before). After a failure
	 * the cell stays measured; the reason becomes cell.untraced. NULL: it cannot be traced.
	 */
	enum bench_outcome (*trace)(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				    double per_op[PER_OP_COUNT], char **reason);
	/*
	 * The last measurement stands for this round (from 0), in place of an earlier, disturbed one. For
	 * tasks that measure more than `sample` holds; NULL: this one does not.
	 */
	void (*keep)(struct bench_task *task, size_t round);
	void (*free)(struct bench_task *task); /* NULL: nothing to free */
};

/* First member of the struct of each kind of task. */
struct bench_task {
	const struct bench_task_ops *ops;
	uint64_t count_max; /* most operations of a round; 0: no limit */
};

#endif

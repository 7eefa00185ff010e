/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Measures all cells of a bench in turns: warm-up and calibration of each cell, then rounds over
 * all cells (A B C  B A C ..., each in an order of its own), then traced runs of each, likewise. What
 * disturbs the machine for a while disturbs neighbours alike, and round i of two cells can be
 * compared as a pair. A measurement during which others had the CPU is repeated, a few times, as
 * long as all of these together take no more than half of the time that was asked for.
 */
#ifndef FORKTAX_MEASURE_ENGINE_H
#define FORKTAX_MEASURE_ENGINE_H

#include "measure/task.h"

enum { BENCH_ROUNDS = 20, BENCH_ROUNDS_MAX = 10000 }; /* default, most */
#define BENCH_MIN_TIME_NS 100000000u /* default of a cell's part of a round */
#define BENCH_COUNT_MAX	  1000000000u /* operations in a round */
#define BENCH_TRACED_OPS  200u /* operations of the traced run, at most */

enum engine_phase { ENGINE_WARM_UP, ENGINE_ROUNDS, ENGINE_TRACING };

/* Where the engine stands, for whoever shows it. */
struct bench_progress {
	enum engine_phase phase;
	size_t done, of; /* cells in this phase, over all its rounds */
	size_t round, rounds; /* of this phase */
	const char *row, *column; /* of the cell that is about to be measured */
	double remaining_s; /* of all phases, estimated; NAN: not known yet */
};

typedef void bench_progress_fn(void *context, const struct bench_progress *progress);

struct bench_request {
	size_t rounds; /* 0: only traced ones */
	uint64_t min_time_ns; /* a cell's part of a round lasts at least that long ... */
	uint64_t count; /* ... unless this says how many operations; 0: by time */
	size_t traced; /* rounds of traced runs, after the others */
	bool first_failure_ends; /* of whichever cell: else it is given up, and the others go on */
	int cpu; /* to run on: from cpu_choice.h; CPU_ANY: not pinned */
	bench_progress_fn *progress; /* NULL: nobody looks */
	void *context;
};

/* A bench and, for each of its cells (same index), the task that measures it. */
struct bench_plan {
	struct bench *bench; /* with cells; pending cells are measured, others left as they are */
	struct bench_task **tasks; /* NULL where a cell is not to be measured */
	size_t traced_rounds; /* that all cells have completed */
};

/* A plan for `bench`, whose cells exist; takes it over. */
struct bench_plan *bench_plan__new(struct bench *bench);
void bench_plan__set_task(struct bench_plan *plan, uint32_t row, uint32_t column,
			  struct bench_task *task); /* takes the task over */
void bench_plan__free(struct bench_plan *plan); /* with tasks and bench */
struct bench *bench_plan__take(struct bench_plan *plan); /* the bench; the plan is freed */

/*
 * Measures what is pending. Notes of the machine and the settings of the request are added to the
 * bench. Ends early after SIGINT, SIGTERM or SIGHUP: returns that signal, else 0; the bench is
 * good for a report either way: it holds whole rounds only, and each cell's state says whether it
 * has values. No process is left behind.
 */
int bench_engine__run(struct bench_plan *plan, const struct bench_request *request);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Measures all cells of a bench alternately: first it warms up and calibrates each cell, then come rounds
 * over all cells, by twos in an order of their own and its reverse (B A C, C A B), then rounds of traced runs. A
 * disturbance of the machine affects neighbours alike, and round i of two cells can be compared as a
 * pair. A measurement during which other processes had the CPU is repeated a few times, as long as all
 * repeats together take no more than half of the requested time.
 */
#ifndef FORKTAX_MEASURE_ENGINE_H
#define FORKTAX_MEASURE_ENGINE_H

#include "measure/task.h"
#include "source/trace.h"

enum { BENCH_ROUNDS = 20, BENCH_ROUNDS_MAX = 10000 }; /* default, most */
#define BENCH_MIN_TIME_NS 100000000u /* default of a cell's part of a round */
#define BENCH_COUNT_MAX	  1000000000u /* operations in a round */
#define BENCH_TRACED_OPS  200u /* operations of the traced run, at most */

enum engine_phase { ENGINE_WARM_UP, ENGINE_ROUNDS, ENGINE_TRACING };

/* How far the engine is, for a progress line. */
struct bench_progress {
	enum engine_phase phase;
	size_t done, of; /* cells in this phase, over all its rounds */
	size_t round, rounds; /* of this phase */
	const char *row, *column; /* of the cell that is about to be measured */
	double remaining_s; /* of all phases, estimated; NAN: unknown yet */
};

typedef void bench_progress_fn(void *context, const struct bench_progress *progress);

struct bench_request {
	size_t rounds; /* 0: only traced ones */
	uint64_t min_time_ns; /* the part of a cell in a round lasts at least this long ... */
	uint64_t count; /* ... unless this is the number of operations; 0: by time */
	size_t more_warm_ups; /* of each cell, besides the one that finds out how many operations it needs */
	bool no_warm_ups; /* none at all: an operation takes long; `count` says how many make a round */
	size_t traced; /* rounds of traced runs, after the others */
	uint32_t seed; /* of the order of cells; 0: chosen by chance */
	struct trace_request tracing; /* what these ask of a source */
	bool first_failure_ends; /* of any cell; otherwise only that cell is given up */
	int cpu; /* to run on (cpu_choice.h); CPU_ANY: not pinned */
	bench_progress_fn *progress; /* NULL: nobody looks */
	void *context;
};

/* A bench and, for each of its cells (same index), the task that measures it. */
struct bench_plan {
	struct bench *bench; /* with cells; the pending ones are measured */
	struct bench_task **tasks; /* NULL where a cell is not to be measured */
	size_t traced_rounds; /* completed by all cells */
	uint32_t seed; /* of their order in a round */
	double busy; /* share of the time of the timed rounds in which others had the CPUs; NAN: unknown */
};

/* A plan for a bench (taken over), whose cells exist already. */
struct bench_plan *bench_plan__new(struct bench *bench);
void bench_plan__set_task(struct bench_plan *plan, uint32_t row, uint32_t column,
			  struct bench_task *task); /* takes the task over */
void bench_plan__free(struct bench_plan *plan); /* with tasks and bench */
struct bench *bench_plan__take(struct bench_plan *plan); /* the bench; the plan is freed */

/*
 * Measures the pending cells, and adds notes about the machine and the request to the bench. SIGINT,
 * SIGTERM or SIGHUP end it early: returns that signal, else 0. The bench can be reported either way: it
 * holds whole rounds only, and the state of each cell says whether it has values. No process is left
 * behind.
 */
int bench_engine__run(struct bench_plan *plan, const struct bench_request *request);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands that are measured against each other by the engine: one warm-up, rounds with a clock,
 * then traced rounds. They run on whatever CPUs forktax may use: a command is measured as it runs
 * without us, and one that uses several CPUs is not squeezed into one (taskset(1) does that for
 * who wants it). All that is left of a command's process group when a timed run is over is ended,
 * and after the last round whatever else it has started.
 */
#ifndef FORKTAX_MEASURE_COMMAND_COMMAND_ROUNDS_H
#define FORKTAX_MEASURE_COMMAND_COMMAND_ROUNDS_H

#include "measure/engine.h"
#include "model/run.h"

/* One of them. Inputs are the caller's; results are owned (variant__release()). */
struct variant {
	const char *label; /* for progress and complaints */
	const char *path; /* of the executable file */
	char **argv;
	char **environment; /* NULL: our own */
	bool is_untraced; /* leave it out of traced rounds */
	/* Results. */
	double *samples_ns; /* wall times of untraced runs, in the order of the rounds */
	double *cpu_ns; /* likewise: CPU time of the command and of all it has waited for */
	double *others; /* likewise: share of the time that others had of the CPUs (cpu_use.h) */
	size_t sample_count; /* of each: whole rounds */
	struct run **runs; /* traced, in the order of the rounds: likewise */
	size_t run_count;
};

/* Frees the results. */
void variant__release(struct variant *variant);

/* How they are measured. */
struct rounds {
	const char *name; /* of the subcommand, for complaints */
	size_t timed, traced; /* rounds of each sort; 0: none */
	bool anatomy; /* traced runs have it recorded */
	bool no_aslr; /* a fixed memory layout */
	bool fixed_traced; /* likewise of traced runs: it decides which faults there are */
	bool show_output, ignore_failure;
	bool progress; /* is to be shown */
};

enum rounds_failure {
	ROUNDS_GOOD,
	ROUNDS_FAILED, /* a command failed (unless ignore_failure), or tracing */
	ROUNDS_REFUSED, /* it could not be executed */
	ROUNDS_MISSING, /* what it needs to be executed is missing */
};

struct rounds_end {
	int signal; /* ended early by a signal to forktax; 0: not */
	size_t timed, traced; /* rounds that all have completed */
	enum rounds_failure failure; /* it has ended everything ... */
	char *reason; /* ... for this reason, which names the command; to be freed */
};

struct rounds_end rounds__measure(const struct rounds *rounds, struct variant *variants,
				  size_t count, bench_progress_fn *progress);

#endif

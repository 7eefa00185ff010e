/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands that are measured against each other, run in turns (A B C, C B A, A B C ...) so
 * that what changes on the machine meanwhile disturbs all of them: first untraced with a clock,
 * then traced. A timed run during which others had the CPUs is repeated at once, a few times, as
 * long as all of these together are no more than half of the runs that were asked for.
 */
#ifndef FORKTAX_CMD_ROUNDS_H
#define FORKTAX_CMD_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/run.h"

/* One of them. Inputs are the caller's; results are owned (variant__release()). */
struct variant {
	const char *label; /* for progress and complaints */
	const char *path; /* of the executable file */
	char **argv;
	char **environment; /* NULL: our own */
	/* Results. */
	double *samples_ns; /* wall times of untraced runs, in the order of the rounds */
	double *cpu_ns; /* likewise: CPU time of the command and of all it has waited for */
	double *others; /* likewise: share of the time that others had of the CPUs (cpu_use.h) */
	size_t sample_count; /* of each; none if not all rounds were completed */
	struct run **runs; /* traced */
	size_t run_count;
};

/* Frees the results. */
void variant__release(struct variant *variant);

struct rounds {
	const char *name; /* of the subcommand, for complaints */
	size_t timed, traced; /* rounds of each sort; 0: none. One more, untimed, warms up */
	bool anatomy; /* traced runs have it recorded */
	bool no_aslr, show_output, ignore_failure;
	bool progress; /* on stderr */
	struct variant *variants;
	size_t count;
};

/*
 * Returns 0 or, after a complaint, the exit status: a command that could not be run, or that
 * failed (unless ignore_failure), ends all. The results are the variants' either way. Without
 * variants there is nothing to do.
 */
int rounds__measure(struct rounds *rounds);

#endif

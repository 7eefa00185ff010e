/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine measures commands against each other: a warm-up, timed rounds, then traced rounds. They
 * may use all CPUs that forktax may use: a command is measured as it runs without us (taskset(1) can
 * pin it). What is left of its process group after a timed run is killed; so is, after the last round,
 * whatever else it has started.
 */
#ifndef FORKTAX_MEASURE_COMMAND_COMMAND_ROUNDS_H
#define FORKTAX_MEASURE_COMMAND_COMMAND_ROUNDS_H

#include "measure/engine.h"
#include "model/run/run.h"

/* One command. Inputs belong to the caller; results are owned (variant__release()). */
struct variant {
	const char *label; /* for progress and complaints */
	const char *path; /* of the executable file */
	char **argv;
	char **environment; /* NULL: our own */
	bool is_untraced; /* left out of traced rounds */
	/* Results. */
	double *samples_ns; /* wall times of untraced runs, in the order of the rounds */
	double *cpu_ns; /* CPU time of the same runs: of the command and all it has waited for */
	double *others; /* share of their time in which others had the CPUs (cpu_use.h) */
	size_t sample_count; /* of each: whole rounds */
	double busy; /* the same share of the time of all rounds; NAN: unknown */
	uint32_t seed; /* of the order in which all variants ran */
	struct run **runs; /* traced, in the order of the rounds */
	size_t run_count;
};

/* Frees the results. */
void variant__release(struct variant *variant);

/* How they are measured. */
struct rounds {
	const char *name; /* of the subcommand, for complaints */
	size_t timed, traced; /* rounds of each kind; 0: none */
	size_t more_warm_ups; /* runs of each before the timed ones, besides the first */
	const char *prepare; /* for sh -c before each run, not measured; NULL: nothing */
	unsigned int source; /* of traced runs: index into source_words */
	bool anatomy; /* record it in traced runs */
	bool stacks; /* with call stacks */
	bool files; /* also what is done with files */
	bool waits; /* with files: what calls sleep for, too */
	bool tree_times; /* also what the time of all processes is spent on, and what the command waited for */
	/* Count by line of scripts, if the source sees them: as in source/trace.h. */
	bool (*find_shell)(const char *path, struct shell_value *found);
	bool calls_later; /* later rounds may need files, waits, the start: as in source/trace.h */
	bool start; /* record the start in traced runs, whose layout must be fixed ... */
	bool start_untraced; /* ... and time its parts in further runs */
	bool no_aslr; /* a fixed memory layout */
	bool fixed_traced; /* the same for traced runs only: it decides which faults there are */
	bool clean; /* for traced runs: as in struct launch */
	bool show_output, ignore_failure;
	bool progress; /* show it */
};

enum rounds_failure {
	ROUNDS_GOOD,
	ROUNDS_FAILED, /* a command failed (unless ignore_failure), or tracing */
	ROUNDS_REFUSED, /* it could not be executed */
	ROUNDS_MISSING, /* what it needs to be executed is missing */
};

struct rounds_end {
	int signal; /* to forktax, which ended it early; 0: none */
	size_t timed, traced; /* rounds completed by all */
	double busy; /* share of the time of the timed rounds in which others had the CPUs; NAN: unknown */
	uint32_t seed; /* of the order of the variants */
	enum rounds_failure failure; /* which ended everything ... */
	char *reason; /* ... for this reason, which names the command; to be freed */
};

struct rounds_end rounds__measure(const struct rounds *rounds, struct variant *variants,
				  size_t count, bench_progress_fn *progress);

#endif

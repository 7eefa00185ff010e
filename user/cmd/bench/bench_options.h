/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the measurements of `forktax bench` share: options, and the way from a plan to a report. A
 * measurement is one file:
 *
 *	struct KIND_job {
 *		struct bench_options bench;
 *		... what its own options say
 *	};
 *
 *	static int act(void *of, char **operands, int *signal)
 *	{
 *		struct KIND_job *job = of;
 *
 *		return bench_options__run(&job->bench, plan made of what was asked for, signal);
 *	}
 *
 *	const struct command bench_KIND_command = { ..., BENCH_COMMAND(struct KIND_job, bench_options__begin),
 *		.act = act };
 */
#ifndef FORKTAX_CMD_BENCH_BENCH_OPTIONS_H
#define FORKTAX_CMD_BENCH_BENCH_OPTIONS_H

#include "cmd/commands.h"
#include "cmd/options/command.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "launch/interrupt.h"
#include "measure/engine.h"

struct bench_options {
	const char *name; /* "bench fork", for complaints */
	int argc;
	char **argv; /* of the measurement: argv[0] is its kind */
	struct bench_request request;
	const char *loops; /* directory of loop programs, for tests; NULL: the usual places */
	struct report_options display;
	struct interrupt interrupt; /* begun before the plan, which makes files */
};

extern const struct option_row bench_option_rows[];
/* The sets of every measurement; `job` is its struct, with a member `bench`. */
#define BENCH_SETS(job)                                                                            \
	{ "Options of every measurement:", bench_option_rows, offsetof(job, bench) },              \
	{                                                                                          \
		NULL, display_rows, offsetof(job, bench.display)                                   \
	}

/* For a struct command. `start`: bench_options__begin(), or what calls it first. */
#define BENCH_COMMAND(job, start)                                                                  \
	.flag = FOR_BENCH, .main = command__run, .size = sizeof(job), .display = offsetof(job, bench.display), \
	.begin = start

/* Of a job, whose first member they are. From then on signals are held until the plan has been measured. */
void bench_options__begin(void *job, const struct command *command, int argc, char **argv);

/* Returns 0 if there are no operands, else EXIT_USAGE after a complaint that ends in `hint`. */
int bench_options__no_operands(const struct bench_options *options, char **operands, const char *hint);

/*
 * Measures the plan (taken over) and prints the results. Returns the exit status: EXIT_FORKTAX, after
 * a complaint, if nothing could be measured or a cell failed. After Ctrl-C it prints what is complete,
 * and stores the signal.
 */
int bench_options__run(struct bench_options *options, struct bench_plan *plan, int *signal);

/* The measurements. */
extern const struct command bench_fork_command, bench_spawn_command, bench_serve_command;

#endif

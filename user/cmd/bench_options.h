/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the four measurements of `forktax bench` share: options, and the way from a plan to a
 * report. A measurement is one file, cmd/bench_KIND.c:
 *
 *	int bench_KIND(int argc, char **argv)
 *	{
 *		struct bench_options options = bench_options__new("bench KIND", argc, argv);
 *		int status = bench_options__parse(&options, ...);
 *
 *		if (!status && options.help)
 *			status = bench_options__help(&options, usage);
 *		else if (!status)
 *			status = bench_options__run(&options, plan made of what was asked for);
 *		return status;
 *	}
 */
#ifndef FORKTAX_CMD_BENCH_OPTIONS_H
#define FORKTAX_CMD_BENCH_OPTIONS_H

#include <getopt.h>

#include "launch/interrupt.h"
#include "measure/engine.h"
#include "report/options.h"

struct bench_options {
	const char *name; /* "bench fork", for complaints */
	int argc;
	char **argv; /* of the measurement: argv[0] is its kind */
	struct bench_request request;
	bool cpu_given; /* by --cpu; else request.cpu is the default, and may be changed */
	bool help; /* -h was given: say what there is, and end */
	const char *loops; /* --loops: directory of loop programs, NULL: the usual ones */
	struct report_options display;
	struct interrupt interrupt; /* begun with the plan, which makes files */
};

enum bench_option {
	OPTION_ROUNDS = 0x4000,
	OPTION_MIN_TIME,
	OPTION_CPU,
	OPTION_NO_TRACE,
	OPTION_LOOPS,
	OPTION_BENCH_OWN = 0x4100, /* the first that a measurement may take for itself */
};

#define BENCH_SHORT_OPTIONS "n:o:qh"
#define BENCH_LONG_OPTIONS                                                                         \
	{ "rounds", required_argument, NULL, OPTION_ROUNDS },                                      \
	{ "min-time", required_argument, NULL, OPTION_MIN_TIME },                                  \
	{ "count", required_argument, NULL, 'n' },                                                 \
	{ "cpu", required_argument, NULL, OPTION_CPU },                                            \
	{ "no-trace", no_argument, NULL, OPTION_NO_TRACE },                                        \
	{ "loops", required_argument, NULL, OPTION_LOOPS },                                        \
	{ "history", no_argument, NULL, OPTION_HISTORY },                                          \
	{ "output", required_argument, NULL, 'o' },                                                \
	{ "quiet", no_argument, NULL, 'q' },                                                       \
	{ "json", no_argument, NULL, OPTION_JSON },                                                \
	{ "csv", no_argument, NULL, OPTION_CSV },                                                  \
	{ "markdown", no_argument, NULL, OPTION_MARKDOWN },                                        \
	{ "color", required_argument, NULL, OPTION_COLOUR },                                       \
	{ "colour", required_argument, NULL, OPTION_COLOUR },                                      \
	{ "help", no_argument, NULL, 'h' }

struct bench_options bench_options__new(const char *name, int argc, char **argv);

/*
 * Takes all options of the command line but those of the measurement's own, which `own` takes: it
 * returns 0, or EXIT_USAGE after a complaint. `short_options` and `long_options` contain the ones
 * above and those. Returns 0, or the exit status after a complaint; optind is at the first operand.
 * From then on signals wait, until the plan has been measured.
 */
typedef int bench_own_option(void *context, int option, const char *argument);
int bench_options__parse(struct bench_options *options, const char *short_options,
			 const struct option *long_options, bench_own_option *own, void *context);
/* Prints `usage` and what is said about the options above; returns the exit status. */
int bench_options__help(const struct bench_options *options, const char *usage);

/*
 * Measures the plan (taken over) and prints what came of it. Returns the exit status:
 * EXIT_FORKTAX if nothing could be measured or a cell failed, which is complained about. After
 * Ctrl-C it prints what is complete, and does not return: forktax dies by that signal, too.
 */
int bench_options__run(struct bench_options *options, struct bench_plan *plan);

/* The measurements. argv[0] is the kind; the return value is the exit status. */
int bench_fork(int argc, char **argv);
int bench_spawn(int argc, char **argv);
int bench_startup(int argc, char **argv);
int bench_serve(int argc, char **argv);

#endif

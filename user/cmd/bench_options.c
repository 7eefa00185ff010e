// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bench_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/bench_output.h"
#include "cmd/bench_progress.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "launch/cpu_choice.h"
#include "measure/sweep.h"

static const char shared_help[] =
	"\nOptions of every measurement:\n"
	"      --rounds=N       rounds over all cells, after a warm-up (default 20)\n"
	"      --min-time=SEC   a cell's part of a round lasts at least so long (default 0.1)\n"
	"  -n, --count=N        ... or has N operations\n"
	"      --cpu=N|any      run on that CPU; any: do not pin (default: the last one)\n"
	"      --no-trace       no traced run for faults and system calls per operation\n"
	"      --loops=DIR      loop programs are in DIR/LINKAGE\n"
	"      --history        figures of old beside, where there are any\n"
	"  -o, --output=FILE    write to FILE instead; - is stdout\n"
	"      --json           everything that was measured (schema " BENCH_SCHEMA ")\n"
	"      --csv            one line per cell and figure\n"
	"      --markdown       tables in Markdown\n"
	"      --color=WHEN     auto, always or never\n"
	"  -q, --quiet          only tables, no progress\n";

struct bench_options bench_options__new(const char *name, int argc, char **argv)
{
	return (struct bench_options){
		.name = name,
		.argc = argc,
		.argv = argv,
		.request = {
			.rounds = BENCH_ROUNDS,
			.min_time_ns = BENCH_MIN_TIME_NS,
			.traced = 1,
			.cpu = cpu_choice__default(),
		},
	};
}

static int refuse(const struct bench_options *options, const char *option, const char *argument,
		  char *reason)
{
	complain(options->name, 0, "%s %s: %s", option, argument, reason);
	free(reason);
	return EXIT_USAGE;
}

static int take_count(struct bench_options *options, const char *option, const char *argument,
		      uint64_t max, uint64_t *number)
{
	char *reason;

	if (sweep__number(argument, false, max, number, &reason))
		return refuse(options, option, argument, reason);
	if (!*number)
		return complain(options->name, EXIT_USAGE, "%s %s: must be 1 at least", option,
				argument);
	return 0;
}

static int take_min_time(struct bench_options *options, const char *argument)
{
	char *end;
	double seconds = strtod(argument, &end);

	if (end == argument || *end || !(seconds >= 0.001 && seconds <= 3600))
		return complain(options->name, EXIT_USAGE,
				"--min-time %s: must be seconds, from 0.001 to 3600", argument);
	options->request.min_time_ns = seconds * 1e9;
	return 0;
}

static int take_cpu(struct bench_options *options, const char *argument)
{
	char *reason;

	if (cpu_choice__parse(argument, &options->request.cpu, &reason))
		return refuse(options, "--cpu", argument, reason);
	options->cpu_given = true;
	return 0;
}

/* -1: it is none of the shared ones. */
static int take(struct bench_options *options, int option, const char *argument)
{
	uint64_t rounds;
	int status;

	switch (option) {
	case OPTION_ROUNDS:
		status = take_count(options, "--rounds", argument, BENCH_ROUNDS_MAX, &rounds);
		if (!status)
			options->request.rounds = rounds;
		return status;
	case OPTION_MIN_TIME:
		return take_min_time(options, argument);
	case 'n':
		return take_count(options, "--count", argument, BENCH_COUNT_MAX,
				  &options->request.count);
	case OPTION_CPU:
		return take_cpu(options, argument);
	case OPTION_NO_TRACE:
		options->request.traced = 0;
		return 0;
	case OPTION_LOOPS:
		options->loops = argument;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	case 'o':
	case 'q':
	case OPTION_JSON:
	case OPTION_CSV:
	case OPTION_MARKDOWN:
	case OPTION_HISTORY:
	case OPTION_COLOUR:
		return take_report_option(options->name, &options->display, option);
	default:
		return -1;
	}
}

int bench_options__parse(struct bench_options *options, const char *short_options,
			 const struct option *long_options, bench_own_option *own, void *context)
{
	int option, status = 0;

	opterr = 0;
	optind = 1;
	while (!status && !options->help &&
	       (option = getopt_long(options->argc, options->argv, short_options, long_options,
				     NULL)) >= 0) {
		if (option == '?' || option == ':')
			return complain_option(options->name, option, options->argv);
		status = take(options, option, optarg);
		if (status < 0)
			status = own(context, option, optarg);
	}
	interrupt__begin(&options->interrupt);
	return status;
}

int bench_options__help(const struct bench_options *options, const char *usage)
{
	fputs(usage, stdout);
	fputs(shared_help, stdout);
	return finish_stdout(options->name);
}

static int judge(const struct bench_options *options, const struct bench *bench)
{
	const struct bench_cell *failed = NULL, *missing = NULL;
	size_t failures = 0, measured = 0;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct bench_cell *cell = &bench->cells[i];

		measured += cell->state == BENCH_MEASURED;
		failures += cell->state == BENCH_FAILED;
		if (cell->state == BENCH_FAILED && !failed)
			failed = cell;
		if (cell->state == BENCH_UNAVAILABLE && !missing)
			missing = cell;
	}
	if (!measured && !failed && missing)
		failed = missing;
	if (!measured && failed)
		return complain(options->name, EXIT_FORKTAX, "nothing could be measured: %s%s%s",
				failed->reason, failed->remedy ? "; " : "",
				failed->remedy ? failed->remedy : "");
	if (failures)
		return complain(options->name, EXIT_FORKTAX, "%zu of %zu cells failed: %s",
				failures, bench->cell_count, failed->reason);
	return 0;
}

static bool has_values(const struct bench *bench)
{
	for (size_t i = 0; i < bench->cell_count; i++) {
		if (bench->cells[i].state == BENCH_MEASURED)
			return true;
	}
	return false;
}

static int check_output(const struct bench_options *options)
{
	char *reason;

	if (!options->display.path || output__check(options->display.path, &reason) == 0)
		return 0;
	complain(options->name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

int bench_options__run(struct bench_options *options, struct bench_plan *plan)
{
	bool shows = isatty(STDERR_FILENO) && !options->display.quiet;
	int status = check_output(options), signal = 0;
	struct bench *bench;

	if (status) {
		bench_plan__free(plan);
		return status;
	}
	if (shows)
		options->request.progress = bench_progress__show;
	bench__set_command(plan->bench, options->argv, options->argc);
	signal = bench_engine__run(plan, &options->request);
	bench = bench_plan__take(plan);
	if (!signal)
		signal = interrupt__came(&options->interrupt);
	interrupt__end(&options->interrupt);
	if (shows)
		bench_progress__clear();
	if (signal && !has_values(bench))
		complain(options->name, 0, "interrupted before a round was complete");
	if (has_values(bench))
		status = print_bench(options->name, bench, &options->display);
	if (!status && !signal)
		status = judge(options, bench);
	bench__free(bench);
	return signal ? die_like(signal) : status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bench/bench_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "launch/cpu_choice.h"

#define REQUEST(member) FIELD(struct bench_options, request.member)

const struct option_row bench_option_rows[] = {
	OPTION(0, "rounds", "N", &option_count, REQUEST(rounds),
	       "measure all cells in N rounds, after one warm-up round (default 20; 10 of serve)", .least = 1,
	       .most = BENCH_ROUNDS_MAX),
	OPTION('n', "count", "N", &option_count, REQUEST(count), "repeat a cell N times per "
	       "round (default: for 100 ms; 300 of serve)", .least = 1,
	       .most = BENCH_COUNT_MAX),
	{ 0 },
};

void bench_options__begin(void *job, const struct command *command, int argc, char **argv)
{
	struct bench_options *options = job;

	*options = (struct bench_options){
		.name = command->name,
		.argc = argc,
		.argv = argv,
		.loops = getenv("FORKTAX_LOOPS"),
		.request = {
			.rounds = BENCH_ROUNDS,
			.min_time_ns = BENCH_MIN_TIME_NS,
			.traced = 1,
			.cpu = cpu_choice__default(),
		},
	};
	interrupt__begin(&options->interrupt);
}

int bench_options__no_operands(const struct bench_options *options, char **operands, const char *hint)
{
	if (!*operands)
		return 0;
	return print_error(options->name, EXIT_USAGE, "%s: takes no operands%s", *operands, hint);
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
		return print_error(options->name, EXIT_FORKTAX, "nothing could be measured: %s%s%s", failed->reason,
				   failed->remedy ? "; " : "", failed->remedy ? failed->remedy : "");
	if (failures)
		return print_error(options->name, EXIT_FORKTAX, "%zu of %zu cells failed: %s",
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

int bench_options__run(struct bench_options *options, struct bench_plan *plan, int *signal)
{
	bool shows = bench_progress__is_wanted(&options->display);
	struct bench *bench;
	int status = 0;

	if (shows)
		options->request.progress = bench_progress__show;
	bench__set_command(plan->bench, options->argv, options->argc);
	*signal = bench_engine__run(plan, &options->request);
	bench = bench_plan__take(plan);
	if (!*signal)
		*signal = interrupt__came(&options->interrupt);
	interrupt__end(&options->interrupt);
	if (shows)
		bench_progress__clear();
	if (*signal && !has_values(bench))
		print_error(options->name, 0, "interrupted before a round was complete");
	if (has_values(bench))
		status = print_bench(options->name, bench, &options->display, stdout);
	if (!status && !*signal)
		status = judge(options, bench);
	bench__free(bench);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench KIND: the classic measurements, one file each. */
#include <stdio.h>
#include <string.h>

#include "cmd/bench/bench_options.h"
#include "cmd/commands.h"

static const struct command *const measurements[] = {
	&bench_fork_command,
	&bench_spawn_command,
	&bench_serve_command,
	NULL,
};

static void print_usage(FILE *stream)
{
	fputs("usage: forktax bench MEASUREMENT [OPTIONS] ...\n\n", stream);
	commands__list(measurements, stream);
	fputs("\n`forktax bench MEASUREMENT --help` lists the options of one.\n", stream);
}

static int cmd_bench(const struct command *command, int argc, char **argv)
{
	const struct command *measurement;

	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		print_usage(stdout);
		return finish_stdout("bench");
	}
	measurement = commands__find(measurements, argv[1]);
	if (measurement)
		return measurement->main(measurement, argc - 1, argv + 1);
	return print_error("bench", EXIT_USAGE, "%s: %s (see forktax bench --help)", argv[1],
			   *argv[1] == '-' ? "options follow the name of a measurement" : "no such measurement");
}

const struct command bench_command = {
	.name = "bench",
	.summary = "measure fork rates, process creation and servers on this machine",
	.synopsis = "MEASUREMENT [OPTIONS] ...",
	.flag = FOR_BENCH,
	.parts = measurements,
	.main = cmd_bench,
};

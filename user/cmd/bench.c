// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench KIND: the classic measurements, one file each (cmd/bench_KIND.c). */
#include <stdio.h>
#include <string.h>

#include "cmd/bench_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"

static const struct measurement {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
} measurements[] = {
	{ "fork", bench_fork, "what a fork costs in every linkage, and what makes it cost more" },
	{ "spawn", bench_spawn, "ways to create a process, from parents of several sizes" },
	{ "startup", bench_startup, "what a program takes before main() and after it, in every linkage" },
	{ "serve", bench_serve, "what a request costs by fork, pre-fork, threads; what it saves" },
};

enum { MEASUREMENTS = sizeof(measurements) / sizeof(measurements[0]) };

static void print_usage(FILE *stream)
{
	fputs("usage: forktax bench MEASUREMENT [OPTIONS] ...\n\n", stream);
	for (int i = 0; i < MEASUREMENTS; i++)
		fprintf(stream, "  %-8s  %s\n", measurements[i].name, measurements[i].summary);
	fputs("\n`forktax bench MEASUREMENT --help` lists the options of one.\n", stream);
}

int cmd_bench(int argc, char **argv)
{
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		print_usage(stdout);
		return finish_stdout("bench");
	}
	for (int i = 0; i < MEASUREMENTS; i++) {
		if (!strcmp(argv[1], measurements[i].name))
			return measurements[i].main(argc - 1, argv + 1);
	}
	return complain("bench", EXIT_USAGE, "%s: no such measurement (see forktax bench --help)",
			argv[1]);
}

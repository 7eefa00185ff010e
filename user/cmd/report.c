// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax report FILE: a saved run again, in every format. */
#include <stdlib.h>
#include <string.h>

#include "cmd/bench_output.h"
#include "cmd/bindnow_output.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "model/syscall_names.h"
#include "report/bindnow/bindnow_report.h"
#include "report/compare/comparison_report.h"
#include "saved/saved.h"

static const char usage[] = "usage: forktax report [OPTIONS] FILE\n\n"
			    "Prints a run or a measurement that --json -o FILE saved; - reads stdin.\n\n";

static int report_what(const struct saved *what, const struct report_options *options)
{
	if (what->family == SAVED_BENCH)
		return print_bench("report", what->bench, options);
	if (options->markdown || options->history)
		return complain("report", EXIT_USAGE,
				"--markdown and --history are for what forktax bench has saved");
	if (what->family == SAVED_COMPARISON)
		return print_comparison("report", what->comparison, options);
	if (what->family == SAVED_BINDNOW)
		return print_bindnow("report", what->bindnow, options);
	return print_run("report", what->run, options, stdout);
}

static int report(const char *path, const struct report_options *options)
{
	struct saved what;
	char *reason;
	int status = EXIT_FORKTAX;

	if (saved__load(path, &what, &reason)) {
		complain("report", 0, "cannot read %s: %s", strcmp(path, "-") ? path : "stdin",
			 reason);
		free(reason);
	} else {
		status = report_what(&what, options);
	}
	saved__free(&what);
	return status;
}

/* 0 if there is something to do, else the exit status, negative for success. */
static int parse(int argc, char **argv, struct report_options *options)
{
	static const struct option long_options[] = {
		REPORT_LONG_OPTIONS,
		{ "markdown", no_argument, NULL, OPTION_MARKDOWN },
		{ "history", no_argument, NULL, OPTION_HISTORY },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	char *message;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":" REPORT_SHORT_OPTIONS "h", long_options, NULL)) >= 0) {
		switch (report_options__take(options, option, optarg, syscall_name, &message)) {
		case OPTION_TAKEN:
			continue;
		case OPTION_BAD:
			complain("report", 0, "%s", message);
			free(message);
			return EXIT_USAGE;
		case OPTION_FOREIGN:
			break;
		}
		if (option != 'h')
			return complain_option("report", option, argv);
		fputs(usage, stdout);
		fputs(report_options_help, stdout);
		fputs("      --markdown       tables in Markdown (of a bench)\n"
		      "      --history        figures of old beside (of a bench)\n", stdout);
		return -1;
	}
	return 0;
}

int cmd_report(int argc, char **argv)
{
	struct report_options options = { 0 };
	int status;

	status = parse(argc, argv, &options);
	if (status < 0)
		status = finish_stdout("report");
	else if (!status && options.counters)
		status = print_run("report", NULL, &options, stdout);
	else if (!status && argc - optind != 1)
		status = complain("report", EXIT_USAGE, "give one saved run, or - for stdin (see --help)");
	else if (!status)
		status = report(argv[optind], &options);
	report_options__free(&options);
	return status;
}

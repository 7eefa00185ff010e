// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax report FILE: a saved run again, in every format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/bench_output.h"
#include "cmd/bindnow_output.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "report/bindnow/bindnow_report.h"
#include "report/compare/comparison_report.h"
#include "saved/bench_json.h"
#include "saved/bindnow_json.h"
#include "saved/comparison_json.h"
#include "saved/json_text.h"
#include "saved/run_json.h"

static const char usage[] = "usage: forktax report [OPTIONS] FILE\n\n"
			    "Prints a run or a measurement that --json -o FILE saved; - reads stdin.\n\n";

static struct json_object *load(const char *path, char **reason)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *stream = is_stdin ? stdin : fopen(path, "re");
	struct json_object *root;

	if (!stream) {
		*reason = strdup(strerror(errno));
		return NULL;
	}
	root = json_text__parse(stream, reason);
	if (!is_stdin)
		fclose(stream);
	return root;
}

static int report_run(struct json_object *root, const struct report_options *options, char **reason)
{
	struct run *run = run_json__from(root, reason);
	int status = run ? print_run("report", run, options, stdout) : EXIT_FORKTAX;

	run__free(run);
	return status;
}

static int report_comparison(struct json_object *root, const struct report_options *options,
			     char **reason)
{
	struct comparison *comparison = compare_json__from(root, reason);
	int status = comparison ? print_comparison("report", comparison, options) : EXIT_FORKTAX;

	comparison__free(comparison);
	return status;
}

static int report_bindnow(struct json_object *root, const struct report_options *options,
			  char **reason)
{
	struct bindnow *bindnow = bindnow_json__from(root, reason);
	int status = bindnow ? print_bindnow("report", bindnow, options) : EXIT_FORKTAX;

	bindnow__free(bindnow);
	return status;
}

static int report_bench(struct json_object *root, const struct report_options *options,
			char **reason)
{
	struct bench *bench = bench_json__from(root, reason);
	int status = bench ? print_bench("report", bench, options) : EXIT_FORKTAX;

	bench__free(bench);
	return status;
}

static int report_any(struct json_object *root, const struct report_options *options,
		      char **reason)
{
	if (bench_json__is(root))
		return report_bench(root, options, reason);
	if (options->markdown || options->history)
		return complain("report", EXIT_USAGE,
				"--markdown and --history are for what forktax bench has saved");
	if (compare_json__is(root))
		return report_comparison(root, options, reason);
	if (bindnow_json__is(root))
		return report_bindnow(root, options, reason);
	return report_run(root, options, reason);
}

static int report(const char *path, const struct report_options *options)
{
	char *reason = NULL;
	struct json_object *root = load(path, &reason);
	int status = EXIT_FORKTAX;

	if (!reason)
		status = report_any(root, options, &reason);
	if (reason)
		complain("report", 0, "cannot read %s: %s", strcmp(path, "-") ? path : "stdin",
			 reason);
	free(reason);
	json_object_put(root);
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
		switch (report_options__take(options, option, optarg, &message)) {
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

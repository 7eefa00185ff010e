// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax report FILE: a saved run again, in every format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "cmd/options/display.h"
#include "cmd/print.h"
#include "report/bindnow/bindnow_report.h"
#include "report/compare/comparison_report.h"
#include "saved/bench_json.h"
#include "saved/bindnow_json.h"
#include "saved/comparison_json.h"
#include "saved/json_text.h"
#include "saved/run_json.h"

static const struct option_set report_sets[] = { { NULL, display_rows, 0 }, { 0 } };

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
	if (options->formats[TABLE_MARKDOWN] || options->history)
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

static int cmd_report(const struct command *command, int argc, char **argv)
{
	struct report_options options = { 0 };
	int status;

	if (options__parse(command, argc, argv, &options, &status)) {
		if (options.counters)
			status = print_counters("report", &options);
		else if (argc - optind != 1)
			status = complain("report", EXIT_USAGE,
					  "give one saved run, or - for stdin (see --help)");
		else
			status = report(argv[optind], &options);
	}
	report_options__free(&options);
	return status;
}

const struct command report_command = {
	.name = "report",
	.summary = "print a saved run again, as text, CSV or JSON",
	.synopsis = "[OPTIONS] FILE",
	.about = "Prints a run or a measurement that --json -o FILE saved; - reads stdin.",
	.flag = FOR_REPORT,
	.permutes = true,
	.sets = report_sets,
	.main = cmd_report,
};

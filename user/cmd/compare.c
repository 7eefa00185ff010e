// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare: commands side by side, one column each. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "cmd/rounds_options.h"
#include "report/compare/comparison_report.h"
#include "report/options.h"
#include "saved/comparison_json.h"

static const char usage[] =
	"usage: forktax compare [OPTIONS] 'COMMAND A' ['COMMAND B' ...]\n\n"
	"Runs commands in turns and shows file, system calls, page faults and time of each in a\n"
	"column. A COMMAND is one word with its arguments in it, or a file saved by\n"
	"`forktax run --json -o FILE`. Two files saved by `forktax bench` are compared cell by cell.\n\n"
	"  -n, --runs=N         timed, untraced runs of each command (default 10)\n"
	"      --no-time        none of them\n"
	"      --traced-runs=N  traced runs of each command (default 3); 0 needs no privileges\n"
	"      --baseline=K     times are compared with column K, counted from 1 (default 1)\n"
	"      --shell          give each COMMAND to sh -c\n"
	"      --no-aslr        run commands without address space randomization\n"
	"      --show-output    let commands read and write; otherwise that is /dev/null\n"
	"  -i, --ignore-failure go on when a command fails\n"
	"  -S, --sort=KEY       order of system calls: calls or name\n"
	"  -e, --trace=SET      show only these system calls: names, %class, /regex, !SET, as "
	"strace\n"
	"  -o, --output=FILE    write to FILE instead; - is stdout\n"
	"      --json           everything that was measured (schema " COMPARE_SCHEMA ")\n"
	"      --csv            one line per column and figure\n"
	"      --color=WHEN     auto, always or never\n"
	"  -q, --quiet          only the table, no progress\n"
	"      --strict         exit status 3 if a run is not exact\n";

struct settings {
	struct compare_job job;
	struct report_options display;
	size_t baseline; /* from 1 */
	bool help;
};

enum { OPTION_BASELINE = 0x2000, OPTION_SHELL };

static const struct option long_options[] = {
	ROUNDS_LONG_OPTIONS,
	{ "baseline", required_argument, NULL, OPTION_BASELINE },
	{ "shell", no_argument, NULL, OPTION_SHELL },
	{ "sort", required_argument, NULL, 'S' },
	{ "trace", required_argument, NULL, 'e' },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "csv", no_argument, NULL, OPTION_CSV },
	{ "strict", no_argument, NULL, OPTION_STRICT },
	{ "color", required_argument, NULL, OPTION_COLOUR },
	{ "colour", required_argument, NULL, OPTION_COLOUR },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int take(struct settings *settings, int option)
{
	struct compare_job *job = &settings->job;

	switch (option) {
	case 'n':
	case OPTION_TRACED_RUNS:
	case OPTION_NO_TIME:
	case OPTION_NO_ASLR:
	case OPTION_SHOW_OUTPUT:
	case 'i':
		return rounds__take(&job->rounds, option, optarg);
	case OPTION_BASELINE:
		return take_number("compare", "--baseline", optarg, 1, &settings->baseline);
	case OPTION_SHELL:
		job->shell = true;
		return 0;
	case 'h':
		settings->help = true;
		return 0;
	default:
		return take_report_option("compare", &settings->display, option);
	}
}

/* What options mean together, and with `count` operands. */
static int check(struct settings *settings, size_t count)
{
	enum sort_key sort = settings->display.sort;

	if (!count)
		return complain("compare", EXIT_USAGE,
				"nothing to compare: give commands (see --help)");
	if (settings->baseline > count)
		return complain("compare", EXIT_USAGE, "--baseline %zu: there are %zu columns",
				settings->baseline, count);
	if (sort != SORT_DEFAULT && sort != SORT_CALLS && sort != SORT_NAME)
		return complain("compare", EXIT_USAGE, "-S: compare can sort by calls or name");
	return rounds__check(&settings->job.rounds);
}

static int parse(int argc, char **argv, struct settings *settings)
{
	int option, status;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:" ROUNDS_SHORT_OPTIONS "S:e:o:qh", long_options, NULL)) >= 0) {
		if (option == '?' || option == ':')
			return complain_option("compare", option, argv);
		status = take(settings, option);
		if (status || settings->help)
			return status;
	}
	return check(settings, argc - optind);
}

static int measure(struct settings *settings, char *const *words, size_t count, int *signal)
{
	struct compare_job *job = &settings->job;
	char *reason;
	int status = 0;

	if (settings->display.path && output__check(settings->display.path, &reason)) {
		complain("compare", 0, "%s", reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	job->columns = checked_calloc(count, sizeof(*job->columns));
	for (size_t i = 0; i < count && !status; i++)
		status = compare_job__add(job, words[i]);
	if (status)
		return status;
	compare_job__label(job, words);
	return compare_job__measure(job, signal);
}

static int compare(struct settings *settings, char *const *words, size_t count)
{
	struct compare_job *job = &settings->job;
	struct comparison *comparison;
	int signal = 0, status = measure(settings, words, count, &signal);

	if (status) {
		compare_columns__free(job->columns, job->column_count);
		return signal ? die_like(signal) : status;
	}
	comparison = comparison__new(job->columns, job->column_count, settings->baseline - 1);
	status = print_comparison("compare", comparison, &settings->display);
	comparison__free(comparison);
	return signal ? die_like(signal) : status;
}

int cmd_compare(int argc, char **argv)
{
	struct settings settings = {
		.job.rounds = { .name = "compare", .timed = 10, .traced = 3 },
		.baseline = 1,
	};
	int status;

	status = parse(argc, argv, &settings);
	settings.job.rounds.progress = isatty(STDERR_FILENO) && !settings.display.quiet;
	if (!status && settings.help) {
		fputs(usage, stdout);
		status = finish_stdout("compare");
	} else if (!status && compare_benches__any(argv + optind, argc - optind)) {
		status = compare_benches(argv + optind, argc - optind, &settings.display);
	} else if (!status) {
		status = compare(&settings, argv + optind, argc - optind);
	}
	report_options__free(&settings.display);
	return status;
}

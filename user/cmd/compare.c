// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare: commands side by side, one column each. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "elf/checked.h"
#include "report/compare.h"
#include "report/options.h"
#include "source/syscall_names.h"

static const char usage[] =
	"usage: forktax compare [OPTIONS] 'COMMAND A' ['COMMAND B' ...]\n\n"
	"Runs commands in turns and shows file, system calls, page faults and time of each in a\n"
	"column. A COMMAND is one word with its arguments in it, or a file saved by\n"
	"`forktax run --json -o FILE`.\n\n"
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
	"  -o, --output=FILE    write to FILE instead\n"
	"      --json           everything that was measured (schema " COMPARE_SCHEMA ")\n"
	"      --csv            one line per column and figure\n"
	"      --color=WHEN     auto, always or never\n"
	"  -q, --quiet          only the table, no progress\n"
	"      --strict         exit status 3 if a run is not exact\n";

struct settings {
	struct compare_job job;
	struct report_options display;
	size_t baseline; /* from 1 */
	bool no_time, help;
};

enum {
	OPTION_TRACED_RUNS = 0x2000,
	OPTION_BASELINE,
	OPTION_SHELL,
	OPTION_NO_ASLR,
	OPTION_SHOW_OUTPUT,
	OPTION_NO_TIME,
};

static const struct option long_options[] = {
	{ "runs", required_argument, NULL, 'n' },
	{ "traced-runs", required_argument, NULL, OPTION_TRACED_RUNS },
	{ "baseline", required_argument, NULL, OPTION_BASELINE },
	{ "shell", no_argument, NULL, OPTION_SHELL },
	{ "no-aslr", no_argument, NULL, OPTION_NO_ASLR },
	{ "show-output", no_argument, NULL, OPTION_SHOW_OUTPUT },
	{ "ignore-failure", no_argument, NULL, 'i' },
	{ "no-time", no_argument, NULL, OPTION_NO_TIME },
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

static int take_number(const char *option, const char *text, size_t min, size_t *number)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value < min || value > 100000)
		return complain("compare", EXIT_USAGE, "%s %s: must be a number from %zu to 100000",
				option, text, min);
	*number = value;
	return 0;
}

static int take_display_option(struct settings *settings, int option)
{
	char *message;

	switch (report_options__take(&settings->display, option, optarg, syscall_name, &message)) {
	case OPTION_TAKEN:
		return 0;
	case OPTION_BAD:
		complain("compare", 0, "%s", message);
		free(message);
		return EXIT_USAGE;
	default: /* not reached: every option has its case */
		return EXIT_USAGE;
	}
}

static int take(struct settings *settings, int option)
{
	struct compare_job *job = &settings->job;

	switch (option) {
	case 'n':
		return take_number("-n", optarg, 1, &job->runs);
	case OPTION_TRACED_RUNS:
		return take_number("--traced-runs", optarg, 0, &job->traced_runs);
	case OPTION_BASELINE:
		return take_number("--baseline", optarg, 1, &settings->baseline);
	case OPTION_SHELL:
		job->shell = true;
		return 0;
	case OPTION_NO_ASLR:
		job->no_aslr = true;
		return 0;
	case OPTION_SHOW_OUTPUT:
		job->show_output = true;
		return 0;
	case 'i':
		job->ignore_failure = true;
		return 0;
	case OPTION_NO_TIME:
		settings->no_time = true;
		return 0;
	case 'h':
		settings->help = true;
		return 0;
	default:
		return take_display_option(settings, option);
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
	if (settings->no_time)
		settings->job.runs = 0;
	if (!settings->job.runs && !settings->job.traced_runs)
		return complain("compare", EXIT_USAGE,
				"--no-time and --traced-runs 0 leave nothing to do");
	return 0;
}

static int parse(int argc, char **argv, struct settings *settings)
{
	int option, status;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:n:iS:e:o:qh", long_options, NULL)) >= 0) {
		if (option == '?' || option == ':')
			return complain_option("compare", option, argv);
		status = take(settings, option);
		if (status || settings->help)
			return status;
	}
	return check(settings, argc - optind);
}

static int measure(struct settings *settings, char *const *words, size_t count)
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
	return compare_job__measure(job);
}

static int compare(struct settings *settings, char *const *words, size_t count)
{
	struct compare_job *job = &settings->job;
	struct comparison *comparison;
	int status = measure(settings, words, count);

	if (status) {
		compare_columns__free(job->columns, job->column_count);
		return status;
	}
	comparison = comparison__new(job->columns, job->column_count, settings->baseline - 1);
	status = print_comparison("compare", comparison, &settings->display);
	comparison__free(comparison);
	return status;
}

int cmd_compare(int argc, char **argv)
{
	struct settings settings = { .job = { .runs = 10, .traced_runs = 3 }, .baseline = 1 };
	int status;

	status = parse(argc, argv, &settings);
	settings.job.progress = isatty(STDERR_FILENO) && !settings.display.quiet;
	if (!status && settings.help) {
		fputs(usage, stdout);
		status = finish_stdout("compare");
	} else if (!status) {
		status = compare(&settings, argv + optind, argc - optind);
	}
	report_options__free(&settings.display);
	return status;
}

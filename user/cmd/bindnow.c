// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bindnow: a command as it is, and with LD_BIND_NOW=1. */
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/bindnow_environment.h"
#include "cmd/bindnow_output.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/rounds_options.h"
#include "report/bindnow/bindnow_report.h"
#include "saved/bindnow_json.h"

static const char usage[] =
	"usage: forktax bindnow [OPTIONS] [--] COMMAND [ARGUMENT]...\n\n"
	"Runs a command in turns as it is and with LD_BIND_NOW=1, and shows what binding all functions\n"
	"at start costs the start, what it saves each child, and from how many children on it pays.\n"
	"The command's input and output are /dev/null.\n\n"
	"  -n, --runs=N         timed, untraced runs of each (default 10)\n"
	"      --no-time        none of them\n"
	"      --traced-runs=N  traced runs of each (default 7); 0 needs no privileges\n"
	"      --no-aslr        run without address space randomization\n"
	"      --show-output    let the command read and write\n"
	"  -i, --ignore-failure go on when the command fails\n"
	"  -o, --output=FILE    write to FILE instead; - is stdout\n"
	"      --json           everything that was measured (schema " BINDNOW_SCHEMA ")\n"
	"      --csv            one line per figure\n"
	"      --color=WHEN     auto, always or never\n"
	"  -q, --quiet          only tables and verdict, no progress\n"
	"      --strict         exit status 3 if a run is not exact\n";

static const struct option long_options[] = {
	ROUNDS_LONG_OPTIONS,
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

struct settings {
	struct rounds rounds;
	struct report_options display;
	bool help;
};

static int take(struct settings *settings, int option)
{
	switch (option) {
	case 'o':
	case 'q':
	case OPTION_JSON:
	case OPTION_CSV:
	case OPTION_STRICT:
	case OPTION_COLOUR:
		return take_report_option("bindnow", &settings->display, option);
	case 'h':
		settings->help = true;
		return 0;
	default:
		return rounds__take(&settings->rounds, option, optarg);
	}
}

static int parse(int argc, char **argv, struct settings *settings)
{
	int option, status;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:" ROUNDS_SHORT_OPTIONS "o:qh", long_options,
				     NULL)) >= 0) {
		if (option == '?' || option == ':')
			return complain_option("bindnow", option, argv);
		status = take(settings, option);
		if (status || settings->help)
			return status;
	}
	if (optind >= argc)
		return complain("bindnow", EXIT_USAGE, "give a command (see --help)");
	return rounds__check(&settings->rounds);
}

static char **copy_words(char *const *words)
{
	char **copy;
	size_t count = 0;

	while (words[count])
		count++;
	copy = checked_calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = checked_strdup(words[i]);
	return copy;
}

static const char *const column_labels[SIDE_COUNT] = {
	[SIDE_LAZY] = "as it is",
	[SIDE_NOW] = "LD_BIND_NOW=1",
};

/* Takes over the results of the variants. */
static struct compare_column *columns_of(const struct variant *variants)
{
	struct compare_column *columns = checked_calloc(SIDE_COUNT, sizeof(*columns));

	for (int side = 0; side < SIDE_COUNT; side++) {
		const struct variant *variant = &variants[side];

		columns[side] = (struct compare_column){
			.label = checked_strdup(column_labels[side]),
			.command = copy_words(variant->argv),
			.path = checked_strdup(variant->path),
			.samples_ns = variant->samples_ns,
			.cpu_ns = variant->cpu_ns,
			.others = variant->others,
			.sample_count = variant->sample_count,
			.runs = variant->runs,
			.run_count = variant->run_count,
		};
	}
	return columns;
}

static int print(const struct settings *settings, const char *path)
{
	struct compare_column *columns = columns_of(settings->rounds.variants);
	struct bindnow_files files;
	struct bindnow *bindnow;
	int status;

	bindnow_files__read(&files, &columns[SIDE_LAZY]);
	bindnow = bindnow__new(columns, &files);
	bindnow->was_set = bindnow_environment__is_set();
	bindnow->is_secure = bindnow_environment__is_secure(path);
	status = print_bindnow("bindnow", bindnow, &settings->display);
	bindnow__free(bindnow);
	return status;
}

static int measure(struct settings *settings, char **argv)
{
	struct rounds *rounds = &settings->rounds;
	char *path;
	int status = find_command("bindnow", argv[0], &path);
	char **lazy = bindnow_environment__new(false), **now = bindnow_environment__new(true);
	char *with = text__of("%s with LD_BIND_NOW=1", argv[0]);
	struct variant variants[SIDE_COUNT] = {
		[SIDE_LAZY] = { argv[0], path, argv, lazy },
		[SIDE_NOW] = { with, path, argv, now },
	};

	rounds->variants = variants;
	rounds->count = SIDE_COUNT;
	if (path)
		status = rounds__measure(rounds);
	if (path && !status) {
		status = print(settings, path);
	} else {
		variant__release(&variants[SIDE_LAZY]);
		variant__release(&variants[SIDE_NOW]);
	}
	free(lazy);
	free(now);
	free(with);
	free(path);
	return status;
}

int cmd_bindnow(int argc, char **argv)
{
	struct settings settings = {
		.rounds = { .name = "bindnow", .timed = 10, .traced = 7, .anatomy = true },
	};
	int status = parse(argc, argv, &settings);
	char *reason;

	settings.rounds.progress = isatty(STDERR_FILENO) && !settings.display.quiet;
	if (!status && settings.help) {
		fputs(usage, stdout);
		status = finish_stdout("bindnow");
	} else if (!status && settings.display.path &&
		   output__check(settings.display.path, &reason)) {
		status = complain("bindnow", EXIT_FORKTAX, "%s", reason);
		free(reason);
	} else if (!status) {
		status = measure(&settings, argv + optind);
	}
	report_options__free(&settings.display);
	return status;
}

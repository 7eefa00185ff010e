// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare: commands side by side, one column each. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"

struct compare_settings {
	struct compare_job job;
	struct report_options display;
	size_t baseline; /* from 1 */
	size_t warm_ups;
	const char *hooks[HOOK_COUNT]; /* with parameters; NULL: none */
	struct parameters parameters;
};

/* Number of traced runs unless --traced-runs sets another. */
#define AS_IS_SHOWN SIZE_MAX
/* Counts that are apart in four runs of each differ by more than chance; times of phases take more. */
enum { TRACED = 4, TRACED_STARTS = 10 };

static const struct option_row compare_rows[] = {
	OPTION(0, "baseline", "K", &option_count, FIELD(struct compare_settings, baseline),
	       "compare times with column K, counted from 1 (default 1)", .least = 1,
	       .most = ROUNDS_MAX),
	OPTION(0, "startup", NULL, &option_flag, FIELD(struct compare_settings, job.rounds.start),
	       "compare the startup of the commands, phase by phase"),
	OPTION(0, "anatomy", NULL, &option_flag, FIELD(struct compare_settings, job.rounds.anatomy),
	       "compare faulting pages and bound symbols, too"),
	OPTION(0, "warmup", "N", &option_count, FIELD(struct compare_settings, warm_ups),
	       "make N untimed runs of each before the timed ones (default 1)", .least = 1,
	       .most = ROUNDS_MAX),
	OPTION(0, "setup", "COMMAND", &option_text, FIELD(struct compare_settings, hooks[HOOK_SETUP]),
	       "run COMMAND with sh -c once before the first run of each"),
	OPTION(0, "prepare", "COMMAND", &option_text, FIELD(struct compare_settings, hooks[HOOK_PREPARE]),
	       "run COMMAND with sh -c before each run, without measuring it"),
	OPTION(0, "cleanup", "COMMAND", &option_text, FIELD(struct compare_settings, hooks[HOOK_CLEANUP]),
	       "run COMMAND with sh -c once for each after the last run of all"),
	OPTION('L', "parameter-list", "VAR VALUES", &option_parameter,
	       FIELD(struct compare_settings, parameters),
	       "run each COMMAND for each of VALUES (separated by commas), with {VAR} replaced by "
	       "it; several -L: for each combination"),
	OPTION(0, "shell", NULL, &option_flag, FIELD(struct compare_settings, job.shell),
	       "run each COMMAND with sh -c"),
	{ 0 },
};

static const struct option_set compare_sets[] = {
	{ NULL, rounds_rows, offsetof(struct compare_settings, job.rounds) },
	{ NULL, compare_rows, 0 },
	{ NULL, display_rows, offsetof(struct compare_settings, display) },
	{ 0 },
};

static int check(void *of, char **operands)
{
	struct compare_settings *settings = of;
	struct rounds *rounds = &settings->job.rounds;

	if (rounds->traced == AS_IS_SHOWN)
		rounds->traced = rounds->start ? TRACED_STARTS : TRACED;
	/* A start is recorded with its single faults, where hardware breakpoints know their addresses. */
	rounds->anatomy |= rounds->start;
	rounds->fixed_traced = rounds->start;
	rounds->more_warm_ups = settings->warm_ups - 1;
	rounds->progress = bench_progress__is_wanted(&settings->display);
	if (!*operands)
		return print_error("compare", EXIT_USAGE,
				   "nothing to compare: give commands (see --help)");
	if (rounds->start && !rounds->traced)
		return print_error("compare", EXIT_USAGE, "--startup needs traced runs: not "
						       "--traced-runs 0");
	return rounds__check(rounds);
}

static int measure_columns(struct compare_settings *settings, const struct instance *given,
			   struct operand *operands, size_t count, int *signal)
{
	struct compare_job *job = &settings->job;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = compare_job__add(job, &given[i], &operands[i]);
	if (status)
		return status;
	if (settings->baseline > job->column_count)
		return print_error("compare", EXIT_USAGE, "--baseline %zu: there are %zu columns",
				   settings->baseline, job->column_count);
	compare_job__label(job);
	compare_job__number(job);
	status = compare_job__measure(job, signal);
	for (size_t i = 0; i < job->column_count && !status && !settings->display.quiet; i++) {
		const struct compare_column *column = &job->columns[i];

		if (!column->run_count || !column->runs[0]->fallback_reason)
			continue;
		warn_fallback("compare", column->runs[0]);
		break; /* the others alike */
	}
	return status;
}

static int compare(struct compare_settings *settings, const struct instance *given,
		   struct operand *operands, size_t count, int *signal)
{
	struct compare_job *job = &settings->job;
	struct comparison *comparison;
	int status = measure_columns(settings, given, operands, count, signal);

	for (size_t i = 0; i < job->column_count; i++)
		free(job->words[i]);
	free(job->words);
	free(job->given);
	if (status) {
		compare_columns__free(job->columns, job->column_count);
		return status;
	}
	comparison = comparison__new(job->columns, job->column_count, settings->baseline - 1);
	status = print_comparison("compare", comparison, &settings->display, stdout);
	comparison__free(comparison);
	return status;
}

static int compare_instances(struct compare_settings *settings, const struct instance *given,
			     size_t count, int *signal)
{
	char **words = checked_calloc(count, sizeof(*words));
	struct operand *operands;
	int status;

	for (size_t i = 0; i < count; i++)
		words[i] = given[i].word;
	operands = operands__load(words, count);
	status = compare(settings, given, operands, count, signal);
	operands__free(operands, count);
	free(words);
	return status;
}

static int compare_words(void *of, char **words, int *signal)
{
	struct compare_settings *settings = of;
	size_t count = text__list_length(words), given_count;
	const struct parameter *unused =
		parameters__unused(&settings->parameters, words, count, settings->hooks);
	struct instance *given;
	int status;

	if (unused)
		return print_error("compare", EXIT_USAGE, "-L %s: no command has {%s} in it", unused->name,
				   unused->name);
	given = parameters__instances(&settings->parameters, words, count, settings->hooks, &given_count);
	status = compare_instances(settings, given, given_count, signal);
	instances__free(given, given_count);
	return status;
}

static void release(void *of)
{
	parameters__free(&((struct compare_settings *)of)->parameters);
}

/* Options of hyperfine, and one of explain that holds two runs against each other, too. */
static const struct option_hint hints[] = {
	{ "-r -m --min-runs -M --max-runs", "hyperfine's -r is -n here" },
	{ "-w", "hyperfine's -w is --warmup here" },
	{ "-p", "hyperfine's -p is --prepare here" },
	{ "-N", "hyperfine's -N is the default here: no shell runs, unless --shell asks for one" },
	{ "--export-json", "hyperfine's --export-json is --json -o FILE here" },
	{ "--export-csv", "hyperfine's --export-csv is --csv -o FILE here" },
	{ "-u --time-unit", "forktax chooses the unit; --csv has nanoseconds" },
	{ "--style", "hyperfine's --style is --color here" },
	{ "--reference", "hyperfine's --reference is --baseline=K here" },
	{ "--path-first", "forktax explain --path-first DIR COMMAND tries other builds of programs; to compare such "
			  "runs, give 'COMMAND' and 'env PATH=DIR:/usr/bin:/bin COMMAND'" },
	{ 0 },
};

const struct command compare_command = {
	.name = "compare",
	.summary = "compare several commands: time, system calls, page faults",
	.synopsis = "[OPTIONS] 'COMMAND A' ['COMMAND B' ...]",
	.about = "Runs commands alternately and compares their time, system calls and page "
		 "faults. Quote each COMMAND with its arguments. In place of a COMMAND you can "
		 "give a run saved with `forktax run --json -o FILE`, a directory of such runs "
		 "(one column), or a saved comparison.",
	.flag = FOR_COMPARE,
	.hints = hints,
	.operands = "line",
	.sets = compare_sets,
	.main = command__run,
	SETTINGS(struct compare_settings,
		 .job.rounds = { .name = "compare", .timed = 10, .traced = AS_IS_SHOWN },
		 .baseline = 1, .warm_ups = 1),
	.check = check,
	.act = compare_words,
	.release = release,
};

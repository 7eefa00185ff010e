// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare: commands side by side, one column each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/machines.h"
#include "analysis/compare/unexplained.h"
#include "analysis/explained.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "calibrate/calibrate.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "elf/shell.h"
#include "resolve/bindnow/read_files.h"

/* At worst each image and each child looks up each function in each file. */
static double lookups_of(const struct compare_column *column)
{
	struct bindnow_files *files = bindnow_files__read(column);
	const uint64_t *totals = column->runs[0]->totals;
	const bool known = bindnow_files__are_known(files);
	const double lookups = (double)bindnow_files__functions(files) * (double)files->count *
			       (double)(1 + totals[LIFE_EXECS] + totals[LIFE_FORKS]);

	bindnow_files__free(files);
	return known ? lookups : NAN;
}

static void find_cause(struct comparison *comparison, size_t column, const struct estimate costs[COST_COUNT])
{
	double lookups = 0;

	if (unexplained__may_bind_otherwise(comparison, column))
		lookups = lookups_of(&comparison->columns[column]) +
			  lookups_of(&comparison->columns[comparison->baseline]);
	comparison->columns[column].explained_ns =
		explained__most(unexplained__faults(comparison, column), lookups, costs);
}

/* How much of a small difference faults and bindings explain, where that is asked: measures what these cost here. */
static void find_causes(struct comparison *comparison)
{
	struct estimate costs[COST_COUNT] = { 0 };
	char *reason = NULL;

	for (size_t i = 0; i < comparison->column_count; i++) {
		if (!unexplained__is_asked(comparison, i))
			continue;
		if (!costs[COST_COPY].known && !reason)
			calibrate__costs(costs, &reason);
		find_cause(comparison, i, costs);
	}
	free(reason);
}

struct compare_settings {
	struct compare_job job;
	struct report_options display;
	size_t baseline; /* from 1 */
	size_t warm_ups;
};

/* Number of traced runs unless --traced-runs sets another. */
#define AS_IS_SHOWN SIZE_MAX
/* Counts that are apart in four runs of each differ by more than chance; times of phases take more. */
enum { TRACED = 4, TRACED_STARTS = 10 };

static const struct option_row compare_rows[] = {
	OPTION(0, "baseline", "K", &option_count, FIELD(struct compare_settings, baseline),
	       "compare times with column K, counted from 1 (default 1)", .least = 1, .most = ROUNDS_MAX),
	OPTION(0, "startup", NULL, &option_flag, FIELD(struct compare_settings, job.rounds.start),
	       "compare the startup of the commands, phase by phase"),
	OPTION(0, "anatomy", NULL, &option_flag, FIELD(struct compare_settings, job.rounds.anatomy),
	       "compare faulting pages and bound symbols, too"),
	OPTION(0, "warmup", "N", &option_count, FIELD(struct compare_settings, warm_ups),
	       "make N untimed runs of each before the timed ones (default 1)", .least = 1, .most = ROUNDS_MAX),
	OPTION(0, "prepare", "COMMAND", &option_text, FIELD(struct compare_settings, job.rounds.prepare),
	       "run COMMAND with sh -c before each run, without measuring it"),
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
	rounds->find_shell = elf_shell__find;
	rounds->more_warm_ups = settings->warm_ups - 1;
	rounds->progress = bench_progress__is_wanted(&settings->display);
	if (!*operands)
		return print_error("compare", EXIT_USAGE, "nothing to compare: give commands (see --help)");
	if (rounds->start && !rounds->traced)
		return print_error("compare", EXIT_USAGE, "--startup needs traced runs: not "
						       "--traced-runs 0");
	return rounds__check(rounds);
}

/* What our environment has, the columns without the setting have, too. */
static void warn_of_known(const struct compare_column *column)
{
	for (char **setting = column->settings; setting && *setting; setting++)
		if (text__is_any(*setting, (const char *const *)environ))
			print_error("compare", 0, "warning: %s is set already: commands without it have it, too",
				    *setting);
}

static int measure_columns(struct compare_settings *settings, char *const *words, struct operand *operands,
			   size_t count, int *signal)
{
	struct compare_job *job = &settings->job;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = compare_job__add(job, words[i], &operands[i]);
	if (status)
		return status;
	if (settings->baseline > job->column_count)
		return print_error("compare", EXIT_USAGE, "--baseline %zu: there are %zu columns",
				   settings->baseline, job->column_count);
	for (size_t i = 0; i < job->column_count && !settings->display.quiet; i++) {
		warn_of_known(&job->columns[i]);
		if (job->rounds.no_aslr && compare_column__is_live(&job->columns[i]))
			warn_of_layout("compare", job->columns[i].path);
	}
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

/* All columns are of one kind of machine, with pages of one size, as far as they say. */
static int check_machines(const struct compare_job *job)
{
	autofree char *difference = machines__difference(job->columns, job->column_count);

	return difference ? print_error("compare", EXIT_FORKTAX, "%s: these cannot be compared", difference) : 0;
}

static bool any_is_saved(const struct operand *operands, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= operands[i].is_saved;
	return any;
}

static int compare(struct compare_settings *settings, char *const *words, struct operand *operands, size_t count,
		   int *signal)
{
	struct compare_job *job = &settings->job;
	struct comparison *comparison;
	int status = measure_columns(settings, words, operands, count, signal);

	for (size_t i = 0; i < job->column_count; i++) {
		free(job->words[i]);
		text__free_list(job->environments[i]);
	}
	free(job->words);
	free(job->environments);
	if (!status)
		status = check_machines(job);
	if (status) {
		compare_columns__free(job->columns, job->column_count);
		return status;
	}
	comparison = comparison__new(job->columns, job->column_count, settings->baseline - 1);
	if (!*signal && !any_is_saved(operands, count))
		find_causes(comparison);
	status = print_comparison("compare", comparison, &settings->display, stdout);
	comparison__free(comparison);
	return status;
}

static int compare_words(void *of, char **words, int *signal)
{
	const size_t count = text__list_length(words);
	struct operand *operands = operands__load(words, count);
	const int status = compare(of, words, operands, count, signal);

	operands__free(operands, count);
	return status;
}

/* Options of hyperfine. */
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
	{ 0 },
};

const struct command compare_command = {
	.name = "compare",
	.summary = "compare several commands: time, system calls, page faults",
	.synopsis = "[OPTIONS] '[NAME=VALUE...] COMMAND A' ['COMMAND B' ...]",
	.about = "Runs commands alternately and compares their time, system calls and page "
		 "faults. Quote each COMMAND with its arguments, and with settings of its environment "
		 "before it ('LD_BIND_NOW=1 bash x'). In place of a COMMAND you can "
		 "give a run saved with `forktax run --json -o FILE`, a directory of such runs "
		 "(one column), or a saved comparison.",
	.flag = FOR_COMPARE,
	.hints = hints,
	.operands = "line",
	.sets = compare_sets,
	.main = command__run,
	SETTINGS(struct compare_settings, .job.rounds = { .name = "compare", .timed = 10, .traced = AS_IS_SHOWN },
		 .baseline = 1, .warm_ups = 1),
	.check = check,
	.act = compare_words,
};

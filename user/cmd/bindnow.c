// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bindnow: a comparison of a command as it is, and with LD_BIND_NOW=1. */
#include <math.h>
#include <stdlib.h>

#include "analysis/bindnow/bindnow.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "calibrate/calibrate.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/compare/compare_job.h"
#include "cmd/options/sets.h"
#include "cmd/print.h"
#include "launch/launch.h"
#include "resolve/bindnow/read_files.h"

struct bindnow_settings {
	struct rounds rounds;
	struct report_options display;
};

static const struct option_set bindnow_sets[] = {
	{ NULL, rounds_rows, offsetof(struct bindnow_settings, rounds) },
	{ NULL, display_rows, offsetof(struct bindnow_settings, display) },
	{ 0 },
};

/* Does ld.so see LD_BIND_NOW as set? An empty value counts as none. */
static bool is_set(void)
{
	const char *value = getenv("LD_BIND_NOW");

	return value && *value;
}

/* NULL: none, because our environment says the same. */
static char **settings_of(enum bindnow_side side)
{
	char *const settings[] = { side == SIDE_NOW ? BINDNOW_NOW : BINDNOW_LAZY, NULL };

	return side == SIDE_NOW || is_set() ? text__copy_list(settings) : NULL;
}

static void add_side(struct compare_job *job, const char *path, char **argv)
{
	const enum bindnow_side side = job->column_count++;
	struct compare_column *column = &job->columns[side];

	column->label = text__of("%s%s", argv[0], side == SIDE_NOW ? " with " BINDNOW_NOW : "");
	column->command = text__copy_list(argv);
	column->settings = settings_of(side);
	column->path = checked_strdup(path);
	column->busy = column->explained_ns = NAN;
	job->environments[side] = environment__changed((const char *const *)column->settings);
}

/* What faults and look-ups cost here bounds which difference of times is believed. */
static void calibrate(struct compare_column *lazy)
{
	char *reason = NULL;

	if (lazy->run_count && lazy->sample_count && lazy->runs[0]->anatomy)
		calibrate__costs(lazy->runs[0]->anatomy->costs, &reason);
	free(reason);
}

static int print(const struct bindnow_settings *settings, struct compare_column *columns)
{
	struct compare_column *lazy = &columns[SIDE_LAZY];
	struct comparison *comparison;
	int status;

	calibrate(lazy);
	lazy->bound = bindnow_files__read(lazy);
	lazy->bound->is_secure = launch__gains_rights(lazy->path);
	comparison = comparison__new(columns, SIDE_COUNT, SIDE_LAZY);
	status = print_comparison("bindnow", comparison, &settings->display, stdout);
	comparison__free(comparison);
	return status;
}

static int measure(void *of, char **argv, int *signal)
{
	struct bindnow_settings *settings = of;
	autofree char *path = NULL;
	int status = find_command("bindnow", argv[0], &path);
	char **environments[SIDE_COUNT];
	struct compare_job job = {
		.rounds = settings->rounds,
		.columns = status ? NULL : checked_calloc(SIDE_COUNT, sizeof(*job.columns)),
		.environments = environments,
	};

	if (status)
		return status;
	while (job.column_count < SIDE_COUNT)
		add_side(&job, path, argv);
	status = compare_job__measure(&job, signal);
	for (int side = 0; side < SIDE_COUNT; side++)
		text__free_list(environments[side]);
	if (!status)
		return print(settings, job.columns);
	compare_columns__free(job.columns, SIDE_COUNT);
	return status;
}

static int check(void *of, char **operands)
{
	struct bindnow_settings *settings = of;

	if (!*operands)
		return print_error("bindnow", EXIT_USAGE, "give a command (see --help)");
	settings->rounds.progress = bench_progress__is_wanted(&settings->display);
	return rounds__check(&settings->rounds);
}

const struct command bindnow_command = {
	.name = "bindnow",
	.summary = "cost and benefit of LD_BIND_NOW for a forking command",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...",
	.about = "Runs a command alternately as it is and with LD_BIND_NOW=1. Shows what binding "
		 "all functions at startup costs, what it saves each child, and how many "
		 "children it takes to pay off. The command's input and output are /dev/null.",
	.flag = FOR_BINDNOW,
	.operands = "command",
	.sets = bindnow_sets,
	.main = command__run,
	SETTINGS(struct bindnow_settings, .rounds = { .name = "bindnow", .timed = 10, .traced = 7, .anatomy = true }),
	.check = check,
	.act = measure,
};

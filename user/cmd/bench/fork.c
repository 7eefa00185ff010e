// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench fork: fork(), the child ends at once, the parent waits. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/bench/bench_options.h"
#include "measure/fork/fork.h"
#include "measure/loop/loops.h"

/* Names of rows are copies, their commands parts of the command line. */
struct fork_job {
	struct bench_options bench;
	struct fork_settings settings;
	struct fork_row *rows;
};

static bool is_row_name(const struct fork_job *job, const char *name)
{
	for (size_t i = 0; i < job->settings.row_count; i++) {
		if (!strcmp(job->rows[i].name, name))
			return true;
	}
	return linkages__has_row(name);
}

static int take_own_row(const struct option_row *row, void *field, const char *argument, char **reason)
{
	const char *equals = strchr(argument, '=');
	struct fork_job *job = field;
	struct fork_settings *settings = &job->settings;
	char *name;

	if (!equals || equals == argument || !equals[1 + strspn(equals + 1, " ")])
		return error__set(reason, "must be NAME=COMMAND");
	name = checked(strndup(argument, equals - argument));
	if (is_row_name(job, name)) {
		free(name);
		return error__set(reason, "another row has that name");
	}
	job->rows = checked_grow(job->rows, settings->row_count, sizeof(*job->rows));
	job->rows[settings->row_count++] = (struct fork_row){ name, equals + 1 };
	settings->rows = job->rows;
	return 0;
}

static const struct option_type option_own_row = { .completes = "text", .take = take_own_row };

#define SETTING(member) FIELD(struct fork_job, settings.member)
#define LOAD(name, argument, type, id, help)                                                       \
	OPTION(0, name, argument, type, SETTING(load[id]), help, .axes = fork_axes)

static const struct option_row fork_rows[] = {
	OPTION(0, "exit", NULL, &option_flag, SETTING(with_exit),
	       "let children call exit() instead of _exit()"),
	LOAD("pages", "N", &option_load, LOAD_PAGES,
	     "let each child write to N pages of its parent"),
	LOAD("calls", "N", &option_load, LOAD_CALLS,
	     "let each child call N functions that were not called before"),
	LOAD("resident", "SIZE", &option_load_size, LOAD_RESIDENT,
	     "let the parent write to this much memory before it forks"),
	OPTION(0, "huge", NULL, &option_flag, SETTING(huge), "put that memory into huge pages"),
	LOAD("libraries", "N", &option_load, LOAD_LIBRARIES,
	     "let the parent load N more libraries"),
	LOAD("mappings", "N", &option_load, LOAD_MAPPINGS, "give the parent N more mappings"),
	LOAD("threads", "N", &option_load, LOAD_THREADS, "let N threads wait in the parent"),
	OPTION(0, "sweep", "AXIS=LOW..HIGH or AXIS=A,B,C", &option_sweep, SETTING(sweep),
	       "vary pages, calls, resident, ...; print a plot",
	       .axes = fork_axes),
	OPTION(0, "row", "NAME=COMMAND", &option_own_row, { 0 },
	       "add your own loop program as a row; {} in COMMAND is the value of the sweep; "
	       "repeatable"),
	{ 0 },
};

static const struct option_set fork_sets[] = {
	{ NULL, fork_rows, 0 }, BENCH_SETS(struct fork_job), { 0 },
};

static int check(void *of, char **operands)
{
	return bench_options__no_operands(of, operands, " (a program of your own: --row)");
}

static int act(void *of, char **operands, int *signal)
{
	struct fork_job *job = of;

	job->settings.loops = job->bench.loops;
	return bench_options__run(&job->bench, bench_fork__plan(&job->settings), signal);
}

static void release(void *of)
{
	struct fork_job *job = of;

	for (size_t i = 0; i < job->settings.row_count; i++)
		free((char *)job->rows[i].name);
	free(job->rows);
}

const struct command bench_fork_command = {
	.name = "bench fork",
	.summary = "cost of a fork for every linkage, and what makes it cost more",
	.synopsis = "[OPTIONS]",
	.about = "Times fork(), the child's exit and wait() for every linkage, alternately.",
	.sets = fork_sets,
	BENCH_COMMAND(struct fork_job, bench_options__begin),
	.check = check,
	.act = act,
	.release = release,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench fork: fork(), the child ends at once, the parent waits. */
#include "cmd/bench/bench_options.h"
#include "measure/fork/fork.h"

struct fork_job {
	struct bench_options bench;
	struct fork_settings settings;
};

#define SETTING(member) FIELD(struct fork_job, settings.member)

static const struct option_row fork_rows[] = {
	OPTION(0, "resident", "SIZE", &option_size, SETTING(resident),
	       "let the parent write to this much memory before it forks", .most = FORK_RESIDENT_MAX),
	{ 0 },
};

static const struct option_set fork_sets[] = {
	{ NULL, fork_rows, 0 }, BENCH_SETS(struct fork_job), { 0 },
};

static int check(void *of, char **operands)
{
	return bench_options__no_operands(of, operands, "");
}

static int act(void *of, char **operands, int *signal)
{
	struct fork_job *job = of;

	job->settings.loops = job->bench.loops;
	return bench_options__run(&job->bench, bench_fork__plan(&job->settings), signal);
}

const struct command bench_fork_command = {
	.name = "bench fork",
	.summary = "cost of a fork for every linkage",
	.synopsis = "[OPTIONS]",
	.about = "Times fork(), the child's exit and wait() for every linkage, alternately.",
	.sets = fork_sets,
	BENCH_COMMAND(struct fork_job, bench_options__begin),
	.check = check,
	.act = act,
};

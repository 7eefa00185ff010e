// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench serve: is pre-forking any good? */
#include <stdlib.h>
#include <string.h>

#include "cmd/bench/bench_options.h"
#include "cmd/commands.h"
#include "launch/cpu_choice.h"
#include "measure/serve/serve.h"

struct serve_job {
	struct bench_options bench;
	struct serve_settings settings;
};

static const char *model_word(const struct option_row *row, size_t index)
{
	return index < SERVE_MODEL_COUNT ? serve_models[index].key : NULL;
}

/* Not the names of rows, which contain spaces. */
static const char *linkage_word(const struct option_row *row, size_t index)
{
	if (index >= LOOP_COUNT)
		return index == LOOP_COUNT ? "all" : NULL;
	return linkages[index].environment ? "bind-now" : linkages[index].directory;
}

static const struct option_type option_models = {
	.completes = "list", .take = option_list__take, .word = model_word,
};
static const struct option_type option_linkages = {
	.completes = "list", .take = option_list__take, .word = linkage_word,
};

#define SETTING(member) FIELD(struct serve_job, settings.member)

static const struct option_row serve_rows[] = {
	OPTION(0, "models", "LIST", &option_models, SETTING(models),
	       "measure these models: fork, exec, prefork, passing, daemon, threads, dash, bash "
	       "(default all)"),
	OPTION(0, "linkages", "LIST", &option_linkages, SETTING(linkages),
	       "measure these linkages: dynamic, now, bind-now, static, static-pie, diet, musl, or all "
	       "(default dynamic,now,static,diet)"),
	OPTION(0, "workers", "N", &option_count, SETTING(workers), "fork N workers in advance (default 8)", .least = 1,
	       .most = SERVE_WORKERS_MAX),
	OPTION(0, "concurrency", "N", &option_count, SETTING(concurrency),
	       "keep N connections open at a time (default 8)", .least = 1, .most = SERVE_CONCURRENCY_MAX),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct serve_job, bench.request.min_time_ns),
	       "measure for this time per round (default 300ms, in 10 rounds)", .least = 0.001, .most = 3600),
	OPTION(0, "resident", "SIZE", &option_size, SETTING(resident),
	       "let the server write to this much memory before it forks", .most = SERVE_RESIDENT_MAX),
	{ 0 },
};

static const struct option_set serve_sets[] = {
	{ NULL, serve_rows, 0 }, BENCH_SETS(struct serve_job), { 0 },
};

static int check(void *of, char **operands)
{
	const struct serve_job *job = of;
	int status = bench_options__no_operands(&job->bench, operands, "");

	if (status)
		return status;
	if (job->bench.request.count > SERVE_REQUESTS_MAX)
		return print_error("bench serve", EXIT_USAGE, "--count: at most %u in a round", SERVE_REQUESTS_MAX);
	return 0;
}

static int act(void *of, char **operands, int *signal)
{
	struct serve_job *job = of;

	job->settings.loops = job->bench.loops;
	return bench_options__run(&job->bench, bench_serve__plan(&job->settings), signal);
}

static void begin(void *of, const struct command *command, int argc, char **argv)
{
	struct serve_job *job = of;

	bench_options__begin(job, command, argc, argv);
	job->settings = serve_settings__default();
	job->bench.request.rounds = SERVE_ROUNDS;
	job->bench.request.min_time_ns = SERVE_MIN_TIME_NS;
	/* Server and load share one CPU only if that is asked for. */
	job->bench.request.cpu = CPU_ANY;
}

const struct command bench_serve_command = {
	.name = "bench serve",
	.summary = "cost of a request with fork, pre-fork or threads",
	.synopsis = "[OPTIONS]",
	.about = "Puts load on a small server in several models, alternately: a fork per "
		 "connection, pre-forked workers, threads and others, in several linkages.",
	.sets = serve_sets,
	BENCH_COMMAND(struct serve_job, begin),
	.check = check,
	.act = act,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench serve: is pre-forking any good? */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
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

static int take_rate(const struct option_row *row, void *field, const char *argument, char **reason)
{
	double *rate = field;

	if (number__decimal(argument, rate) && *rate > 0 && *rate <= 1e9)
		return 0;
	return error__set(reason, "must be requests per second, up to 1e9");
}

/* A double: the saving is a share of it. */
static int take_cpu_time(const struct option_row *row, void *field, const char *argument,
			 char **reason)
{
	double *ns = field;

	if (quantity__read_time(argument, ns) && *ns >= 1 && *ns <= 3.6e12)
		return 0;
	return error__set(reason, "must be a time such as 28ms, 350us or 1.5s, up to an hour");
}

static const struct option_type option_models = {
	.completes = "list", .take = option_list__take, .word = model_word,
};
static const struct option_type option_linkages = {
	.completes = "list", .take = option_list__take, .word = linkage_word,
};
static const struct option_type option_rate = { .completes = "number", .take = take_rate };
static const struct option_type option_cpu_time = { .completes = "time", .take = take_cpu_time };

#define SETTING(member) FIELD(struct serve_job, settings.member)

static const struct option_row serve_rows[] = {
	OPTION(0, "models", "LIST", &option_models, SETTING(models),
	       "measure these models: fork, exec, prefork, passing, daemon, threads, dash, bash "
	       "(default all)"),
	OPTION(0, "linkages", "LIST", &option_linkages, SETTING(linkages),
	       "measure these linkages: dynamic, now, bind-now, static, static-pie, diet, musl, or all "
	       "(default dynamic,now,static,diet)"),
	OPTION(0, "workers", "N", &option_count, SETTING(workers),
	       "fork N workers in advance (default 8)", .least = 1,
	       .most = SERVE_WORKERS_MAX),
	OPTION(0, "concurrency", "N", &option_count, SETTING(concurrency),
	       "keep N connections open at a time (default 8)", .least = 1, .most = SERVE_CONCURRENCY_MAX),
	OPTION(0, "requests", "N", &option_count, FIELD(struct serve_job, bench.request.count),
	       "open N connections per round; same as --count", .least = 1, .most = SERVE_REQUESTS_MAX),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct serve_job, bench.request.min_time_ns),
	       "measure for this time per round; same as --min-time (default 300ms, in 10 rounds)", .least = 0.001,
	       .most = 3600),
	OPTION(0, "resident", "SIZE", &option_size, SETTING(resident),
	       "let the server write to this much memory before it forks", .most = SERVE_RESIDENT_MAX),
	OPTION(0, "port", "N", &option_count, SETTING(port),
	       "listen on port N (default: any free port)", .least = 1, .most = UINT16_MAX),
	OPTION(0, "rate", "N", &option_rate, SETTING(load.rate),
	       "predict the saving at N requests per second"),
	OPTION(0, "cpu-per-request", "TIME", &option_cpu_time, SETTING(load.cpu_ns),
	       "say how much CPU time each request takes now, such as 28ms; for --rate"),
	{ 0 },
};

static const struct option_set serve_sets[] = {
	{ NULL, serve_rows, 0 }, BENCH_SETS(struct serve_job), { 0 },
};

/* Checks combinations of options, and whether the port is free. */
static int check(void *of, char **operands)
{
	const struct serve_job *job = of;
	const struct serve_settings *settings = &job->settings;
	char *reason;
	int status = bench_options__no_operands(&job->bench, operands, "");

	if (status)
		return status;
	if ((settings->load.rate > 0 || settings->load.cpu_ns > 0) && !settings->models[SERVE_FORK])
		return print_error(
			"bench serve", EXIT_USAGE,
			"--rate and --cpu-per-request compare with the model fork, which "
			"is not among --models");
	if (job->bench.request.count > SERVE_REQUESTS_MAX)
		return print_error("bench serve", EXIT_USAGE, "--count: at most %u in a round",
				   SERVE_REQUESTS_MAX);
	if (serve_settings__try_port(settings, &reason) == 0)
		return 0;
	print_error("bench serve", 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
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

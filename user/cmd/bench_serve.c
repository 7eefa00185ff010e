// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench serve: is pre-forking any good? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/bench_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "launch/cpu_choice.h"
#include "measure/serve/serve.h"
#include "measure/sweep.h"

static const char usage[] =
	"usage: forktax bench serve [OPTIONS]\n\n"
	"Puts a load on a small request server: a fork per connection, workers forked before,\n"
	"threads and others, in several linkages, in turns.\n\n"
	"      --models=LIST    of fork, exec, prefork, passing, daemon, threads, dash, bash\n"
	"                       (default all)\n"
	"      --linkages=LIST  of dynamic, now, bind-now, static, static-pie, diet, musl, or all\n"
	"                       (default dynamic,now,static,diet)\n"
	"      --workers=N      processes that are forked before (default 8)\n"
	"      --concurrency=N  connections at once (default 8)\n"
	"      --requests=N     connections in a round: the same as --count\n"
	"      --duration=SEC   the same as --min-time (default here 0.3, in 10 rounds)\n"
	"      --resident=SIZE  the server has written so much memory\n"
	"      --port=N         listen there (default: any that is free)\n"
	"      --rate=N         say what would be saved at N requests per second ...\n"
	"      --cpu-per-request=TIME\n"
	"                       ... each taking so much CPU now, such as 28ms\n";

enum {
	OPTION_MODELS = OPTION_BENCH_OWN,
	OPTION_LINKAGES,
	OPTION_WORKERS,
	OPTION_CONCURRENCY,
	OPTION_RESIDENT,
	OPTION_PORT,
	OPTION_RATE,
	OPTION_CPU_PER_REQUEST,
};

static const struct option long_options[] = {
	BENCH_LONG_OPTIONS,
	{ "models", required_argument, NULL, OPTION_MODELS },
	{ "linkages", required_argument, NULL, OPTION_LINKAGES },
	{ "workers", required_argument, NULL, OPTION_WORKERS },
	{ "concurrency", required_argument, NULL, OPTION_CONCURRENCY },
	{ "requests", required_argument, NULL, 'n' },
	{ "duration", required_argument, NULL, OPTION_MIN_TIME },
	{ "resident", required_argument, NULL, OPTION_RESIDENT },
	{ "port", required_argument, NULL, OPTION_PORT },
	{ "rate", required_argument, NULL, OPTION_RATE },
	{ "cpu-per-request", required_argument, NULL, OPTION_CPU_PER_REQUEST },
	{ 0 },
};

static int refuse(const char *option, const char *argument, char *reason)
{
	complain("bench serve", 0, "--%s %s: %s", option, argument, reason);
	free(reason);
	return EXIT_USAGE;
}

static int take_number(const char *option, const char *argument, uint64_t max, uint64_t *number)
{
	bool is_size = !strcmp(option, "resident");
	char *reason;

	if (sweep__number(argument, is_size, max, number, &reason))
		return refuse(option, argument, reason);
	if (!*number && !is_size)
		return complain("bench serve", EXIT_USAGE, "--%s %s: must be 1 at least", option,
				argument);
	return 0;
}

static int take_small(const char *option, const char *argument, uint32_t max, uint32_t *number)
{
	uint64_t value;
	int status = take_number(option, argument, max, &value);

	if (!status)
		*number = value;
	return status;
}

static int take_rate(const char *argument, double *rate)
{
	char *end;

	*rate = strtod(argument, &end);
	if (end == argument || *end || !(*rate > 0 && *rate <= 1e9))
		return complain("bench serve", EXIT_USAGE,
				"--rate %s: must be requests per second, up to 1e9", argument);
	return 0;
}

/* "28ms", "350us": a time without a unit could be meant in any. */
static int take_cpu_time(const char *argument, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end;
	double number = strtod(argument, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && end != argument; i++) {
		*ns = number * units[i].ns;
		if (!strcmp(end, units[i].name) && *ns >= 1 && *ns <= 3.6e12)
			return 0;
	}
	return complain("bench serve", EXIT_USAGE,
			"--cpu-per-request %s: must be a time such as 28ms, 350us or 1.5s, up to "
			"an hour", argument);
}

static int take_list(struct serve_settings *settings, bool models, const char *argument)
{
	char *reason;

	if (models && serve_settings__take_models(settings, argument, &reason))
		return refuse("models", argument, reason);
	if (!models && serve_settings__take_linkages(settings, argument, &reason))
		return refuse("linkages", argument, reason);
	return 0;
}

static int take(void *context, int option, const char *argument)
{
	struct serve_settings *settings = context;
	uint32_t port;
	int status;

	switch (option) {
	case OPTION_MODELS:
	case OPTION_LINKAGES:
		return take_list(settings, option == OPTION_MODELS, argument);
	case OPTION_WORKERS:
		return take_small("workers", argument, SERVE_WORKERS_MAX, &settings->workers);
	case OPTION_CONCURRENCY:
		return take_small("concurrency", argument, SERVE_CONCURRENCY_MAX,
				  &settings->concurrency);
	case OPTION_RESIDENT:
		return take_number("resident", argument, SERVE_RESIDENT_MAX, &settings->resident);
	case OPTION_PORT:
		status = take_small("port", argument, 65535, &port);
		if (!status)
			settings->port = port;
		return status;
	case OPTION_RATE:
		return take_rate(argument, &settings->load.rate);
	default:
		return take_cpu_time(argument, &settings->load.cpu_ns);
	}
}

static int measure(struct bench_options *options, struct serve_settings *settings)
{
	char *reason;

	if (optind < options->argc)
		return complain("bench serve", EXIT_USAGE, "%s: takes no operands",
				options->argv[optind]);
	if ((settings->load.rate > 0 || settings->load.cpu_ns > 0) &&
	    !settings->models[SERVE_FORK])
		return complain("bench serve", EXIT_USAGE,
				"--rate and --cpu-per-request compare with the model fork, which "
				"is not among --models");
	if (options->request.count > SERVE_REQUESTS_MAX)
		return complain("bench serve", EXIT_USAGE, "--requests: at most %u in a round",
				SERVE_REQUESTS_MAX);
	if (serve_settings__try_port(settings, &reason)) {
		complain("bench serve", 0, "%s", reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	settings->loops = options->loops;
	return bench_options__run(options, bench_serve__plan(settings));
}

int bench_serve(int argc, char **argv)
{
	struct bench_options options = bench_options__new("bench serve", argc, argv);
	struct serve_settings settings = serve_settings__default();
	int status;

	options.request.rounds = SERVE_ROUNDS;
	options.request.min_time_ns = SERVE_MIN_TIME_NS;
	status = bench_options__parse(&options, "+:" BENCH_SHORT_OPTIONS, long_options, take,
				      &settings);
	/* Server and load take turns on one CPU only if that was asked for. */
	if (!options.cpu_given)
		options.request.cpu = CPU_ANY;
	if (!status && options.help)
		return bench_options__help(&options, usage);
	return status ? status : measure(&options, &settings);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/serve/serve_task.h"

#include <math.h>
#include <poll.h>
#include <time.h>

#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"
#include "measure/serve/serve.h"
#include "measure/serve/serve_load.h"

enum { EXIT_MS = 5000 }; /* reached only if the server lives on */

struct serve_task {
	struct bench_task task; /* first: it is what the engine knows */
	struct serve_program program; /* its strings are owned */
};

/* One round under way. */
struct round {
	const struct serve_program *program;
	struct serve_server server;
	struct interrupt *interrupt;
	struct bench_sample *sample;
	char **reason;
};

static double own_cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static struct load_request load_of(const struct round *round, uint64_t count)
{
	return (struct load_request){
		.port = round->server.endpoint->port,
		.concurrency = round->program->concurrency,
		.count = count,
		.stops = { round->interrupt->fd, round->server.pidfd },
	};
}

/*
 * The server's own words are better than what its client saw; but a connection may break before the
 * server has found out why.
 */
static enum bench_outcome explain_end(struct round *round, const char *otherwise)
{
	struct pollfd ends[] = { { .fd = round->server.pidfd, .events = POLLIN },
				 { .fd = round->interrupt->fd, .events = POLLIN } };
	char *words;

	poll(ends, 2, EXIT_MS);
	if (interrupt__came(round->interrupt)) {
		free(*round->reason);
		*round->reason = NULL;
		return TASK_INTERRUPTED;
	}
	words = serve_server__exit_reason(&round->server);
	if (words) {
		free(*round->reason);
		*round->reason = words;
	} else if (!*round->reason) {
		*round->reason = checked_strdup(otherwise);
	}
	return TASK_FAILED;
}

static enum bench_outcome put_load(struct round *round, uint64_t count, double *durations, double *elapsed_ns)
{
	const struct load_request request = load_of(round, count);

	if (load__run(&request, durations, elapsed_ns, round->reason) == LOAD_DONE)
		return TASK_DONE;
	return explain_end(round, "the server has ended");
}

static enum bench_outcome take_usage(struct round *round, struct serve_usage *usage)
{
	if (serve_server__wait_idle(&round->server, round->interrupt) && serve_server__usage(&round->server, usage))
		return TASK_DONE;
	return explain_end(round, "the server does not say what it has used");
}

/* NAN if no duration exceeds it: then there are too few to know it. */
static double quantile(const double *sorted, uint64_t count, unsigned int thousandths)
{
	const uint64_t rank = quantile__rank(count, thousandths);

	return rank + 1 < count ? sorted[rank] : NAN;
}

static void keep_latencies(struct bench_sample *sample, double *durations, uint64_t count)
{
	quantile__sort(durations, count);
	sample->values[BENCH_METRIC_LATENCY_P50] = quantile(durations, count, 500);
	sample->values[BENCH_METRIC_LATENCY_P99] = quantile(durations, count, 990);
	sample->values[BENCH_METRIC_LATENCY_P999] = quantile(durations, count, 999);
}

/* The figures of `count` connections; the server is idle before and after. */
static enum bench_outcome measure_load(struct round *round, uint64_t count, double *durations)
{
	struct bench_sample *sample = round->sample;
	struct serve_usage before, after;
	enum bench_outcome outcome = take_usage(round, &before);
	double client_ns = own_cpu_ns();

	if (outcome == TASK_DONE)
		outcome = put_load(round, count, durations, &sample->elapsed_ns);
	client_ns = own_cpu_ns() - client_ns;
	if (outcome == TASK_DONE)
		outcome = take_usage(round, &after);
	if (outcome != TASK_DONE)
		return outcome;
	sample->operations = count;
	sample->values[BENCH_METRIC_CPU] = (after.cpu_ns - before.cpu_ns) / count;
	sample->values[BENCH_METRIC_FAULTS] = (after.minor_faults - before.minor_faults) / count;
	sample->values[BENCH_METRIC_CLIENT_CPU] = client_ns / count;
	keep_latencies(sample, durations, count);
	return outcome;
}

static void look_at_memory(void *context)
{
	struct round *round = context;

	if (serve_server__wait_idle(&round->server, round->interrupt))
		serve_server__memory(&round->server, &round->sample->values[BENCH_METRIC_PSS],
				     &round->sample->values[BENCH_METRIC_UNSHARED]);
}

/* With as many open connections as there were at once. */
static enum bench_outcome measure_memory(struct round *round)
{
	const struct load_request request = load_of(round, 0);

	if (load__hold(&request, look_at_memory, round, round->reason) == LOAD_DONE &&
	    !interrupt__came(round->interrupt))
		return TASK_DONE;
	return explain_end(round, "the server has ended");
}

static enum bench_outcome run_round(struct round *round, uint64_t count)
{
	const struct serve_program *program = round->program;
	double *durations = checked_calloc(count, sizeof(*durations)), unused;
	enum bench_outcome outcome = put_load(round, program->workers + program->concurrency, NULL, &unused);

	if (outcome == TASK_DONE)
		outcome = measure_load(round, count, durations);
	if (outcome == TASK_DONE)
		outcome = measure_memory(round);
	free(durations);
	return outcome;
}

static enum bench_outcome measure_serve(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
					struct bench_sample *sample, char **reason)
{
	const struct serve_program *program = &((struct serve_task *)task)->program;
	struct round round = { program, .interrupt = interrupt, .sample = sample, .reason = reason };
	char **argv, **environment = serve_environment__new(program);
	enum bench_outcome outcome = TASK_FAILED;
	struct serve_endpoint endpoint;

	*reason = NULL;
	if (serve_endpoint__open(&endpoint, reason) == 0) {
		argv = serve_argv__new(program, &endpoint);
		if (serve_server__start(&round.server, &endpoint, argv, environment, interrupt, reason) == 0) {
			outcome = run_round(&round, count);
			serve_server__stop(&round.server);
		}
		text__free_list(argv);
		serve_endpoint__close(&endpoint);
	}
	text__free_list(environment);
	return outcome;
}

static enum bench_outcome trace_serve(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				      double per_op[PER_OP_COUNT], char **reason)
{
	return serve_trace__run(&((struct serve_task *)task)->program, count, interrupt, per_op, reason);
}

static void free_task(struct bench_task *task)
{
	struct serve_program *program = &((struct serve_task *)task)->program;

	free((char *)program->path);
	free((char *)program->model);
	free((char *)program->shell);
	free((char *)program->environment);
	free(task);
}

static const struct bench_task_ops ops = {
	.measure = measure_serve,
	.trace = trace_serve,
	.free = free_task,
};

struct bench_task *serve_task__new(const struct serve_program *program)
{
	struct serve_task *serve = checked_calloc(1, sizeof(*serve));

	serve->task.ops = &ops;
	serve->task.count_max = SERVE_REQUESTS_MAX;
	serve->program = *program;
	serve->program.path = text__copy(program->path);
	serve->program.model = text__copy(program->model);
	serve->program.shell = text__copy(program->shell);
	serve->program.environment = text__copy(program->environment);
	return &serve->task;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a request costs the processes of a server in faults and system calls: the difference between a
 * traced run with requests and one without.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"
#include "measure/loop/loop_task.h"
#include "measure/serve/serve_load.h"
#include "measure/serve/serve_task.h"
#include "source/trace.h"

enum { READY_S = 20 };

struct traced {
	const struct serve_program *program;
	struct serve_endpoint endpoint;
	char **argv, **environment;
	struct interrupt *interrupt;
	char **reason;
};

/*
 * The time limit begins when the server exists: loading the tracing programs comes before, and a server
 * that does not exist could not be ended.
 */
static bool wait_ready(const struct serve_page *page)
{
	double end = 0;

	while (!__atomic_load_n(&page->ready, __ATOMIC_ACQUIRE)) {
		if (!__atomic_load_n(&page->reapers[REAPER_SERVER].pid, __ATOMIC_ACQUIRE))
			end = clock__now_s() + READY_S;
		if (clock__now_s() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* Makes the load and then ends the server, in a process of its own while its parent traces. */
static _Noreturn void make_load(const struct traced *traced, uint64_t count)
{
	struct serve_page *page = traced->endpoint.page;
	const struct load_request request = {
		.port = traced->endpoint.port,
		.concurrency = traced->program->concurrency,
		.count = count,
		.stops = { -1, -1 },
	};
	double elapsed;
	char *reason = NULL;

	if (!wait_ready(page))
		reason = checked_strdup("the traced server did not begin to serve");
	else if (load__run(&request, NULL, &elapsed, &reason) != LOAD_FAILED)
		reason = NULL;
	if (reason)
		snprintf(page->failure, sizeof(page->failure), "%s", reason);
	if (page->reapers[REAPER_SERVER].pid > 0)
		kill(page->reapers[REAPER_SERVER].pid, SIGTERM);
	_exit(0);
}

static pid_t start_load(const struct traced *traced, uint64_t count)
{
	pid_t pid = launch__fork();

	if (!pid)
		make_load(traced, count);
	return pid;
}

static void end_load(pid_t pid)
{
	kill(pid, SIGKILL);
	launch__reap(pid);
}

static enum bench_outcome fail_trace(const struct traced *traced, const char *text)
{
	*traced->reason = checked_strdup(text);
	return TASK_FAILED;
}

static enum bench_outcome judge_server(const struct traced *traced, const struct run *run)
{
	if (interrupt__ended(traced->interrupt, run->asked_by, run->signal))
		return TASK_INTERRUPTED;
	if (*traced->endpoint.page->failure)
		return fail_trace(traced, traced->endpoint.page->failure);
	if (run->status != 0)
		return fail_trace(traced, "the traced server failed");
	if (!run->integrity.exact)
		return fail_trace(traced, "the traced run lost events");
	return TASK_DONE;
}

/* Sums up all children of the server's first process. */
static enum bench_outcome trace_requests(struct traced *traced, uint64_t count, double sums[PER_OP_COUNT])
{
	const struct trace_request request = loop_trace__request(traced->argv, traced->environment, traced->interrupt);
	enum bench_outcome outcome = TASK_FAILED;
	struct run *run = NULL;
	pid_t load;

	memset(traced->endpoint.page, 0, sizeof(*traced->endpoint.page));
	load = start_load(traced, count);
	if (load < 0)
		return fail_trace(traced, strerror(errno));
	if (trace__run(&request, &run, traced->reason) == TRACE_OK) {
		outcome = judge_server(traced, run);
		if (outcome == TASK_DONE)
			loop_count__children(run, 1, sums);
		run__free(run);
	}
	end_load(load);
	return outcome;
}

/* Never negative, because starts differ by a fault or so; NAN stays NAN. */
static double share(double with, double without, uint64_t count)
{
	return isnan(with) || isnan(without) ? NAN : fmax(0, with - without) / count;
}

static enum bench_outcome trace_both(struct traced *traced, uint64_t count, double per_op[PER_OP_COUNT])
{
	double without[PER_OP_COUNT];
	enum bench_outcome outcome;

	for (int i = 0; i < PER_OP_COUNT; i++)
		without[i] = NAN;
	outcome = trace_requests(traced, 0, without);
	if (outcome == TASK_DONE)
		outcome = trace_requests(traced, count, per_op);
	for (int i = 0; i < PER_OP_COUNT; i++)
		per_op[i] = outcome == TASK_DONE ? share(per_op[i], without[i], count) : NAN;
	return outcome;
}

enum bench_outcome serve_trace__run(const struct serve_program *program, uint64_t count, struct interrupt *interrupt,
				    double per_op[PER_OP_COUNT], char **reason)
{
	struct traced traced = { .program = program, .interrupt = interrupt, .reason = reason };
	enum bench_outcome outcome;

	if (serve_endpoint__open(&traced.endpoint, reason) < 0)
		return TASK_FAILED;
	serve_endpoint__share(&traced.endpoint, true);
	traced.argv = serve_argv__new(program, &traced.endpoint);
	traced.environment = serve_environment__new(program);
	outcome = trace_both(&traced, count, per_op);
	text__free_list(traced.argv);
	text__free_list(traced.environment);
	serve_endpoint__close(&traced.endpoint);
	return outcome;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workers_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/workers/workers_advice.h"
#include "base/autofree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/print.h"
#include "pool/pool.h"
#include "pool/pool_watch.h"
#include "resolve/names/flow_writers.h"
#include "source/trace.h"

enum { FIRST_LOOK_NS = 500000000 };

struct watching {
	const struct workers_watch *request;
	pid_t member; /* of the pool that there is before, the master if it has one; 0: a command */
	bool orphans; /* that pool has no master */
	struct flow_log log;
	struct pool_watch *watch;
	struct workers *state; /* the latest that could be read */
	uint64_t state_ns; /* CLOCK_MONOTONIC */
	uint64_t next_ns; /* when to read the state of a pool that may end by itself */
};

/* The state of the pool as it is now replaces the one from before. */
static void look(struct watching *watching)
{
	pid_t member = pool_watch__member(&watching->log);
	struct workers *state = NULL;
	char *reason = NULL;

	if (member)
		state = pool__look_at(&(struct pool_request){ member, true, .seen = &watching->log }, &reason);
	free(reason);
	if (!state)
		return;
	if (watching->state && !state->worker_count) { /* its workers have ended */
		workers__free(state);
		return;
	}
	workers__free(watching->state);
	watching->state = state;
	watching->state_ns = clock__now_ns();
}

/* Nobody knows when a command will end: its pool is looked at again and again, but ever less often. */
static void look_early(struct watching *watching)
{
	uint64_t now = clock__now_ns(), passed = now - watching->log.begin_ns;

	if (!watching->next_ns && pool_watch__member(&watching->log))
		watching->next_ns = now + FIRST_LOOK_NS;
	if (!watching->next_ns || now < watching->next_ns)
		return;
	look(watching);
	watching->next_ns = now + (passed > FIRST_LOOK_NS ? passed : FIRST_LOOK_NS);
}

static void on_tick(bool last, void *context)
{
	struct watching *watching = context;

	if (last) {
		pool_watch__end(watching->watch, &watching->log);
		return;
	}
	pool_watch__look(watching->watch, &watching->log);
	if (watching->request->command)
		look_early(watching);
}

static void on_stopped(void *context)
{
	look(context);
}

static int failure(enum trace_result result)
{
	return result == TRACE_COMMAND_MISSING ? EXIT_MISSING
	       : result == TRACE_COMMAND_REFUSED ? EXIT_REFUSED : EXIT_FORKTAX;
}

static struct workers *without_state(void)
{
	struct workers *workers = workers__new();

	workers->has_state = workers->has_master = false;
	return workers;
}

/* The events, the page maps and the state make one document. NULL: there was no pool. */
static struct workers *document(struct watching *watching, const struct run *run)
{
	struct workers_flow *flow = pool_watch__flow(watching->watch, &watching->log);
	struct workers *workers = watching->state;

	if (!flow)
		return NULL;
	watching->state = NULL;
	if (workers)
		flow->state_ns = watching->state_ns - watching->log.begin_ns;
	else
		workers = without_state();
	flow->orphans = watching->orphans;
	flow->events_exact = !integrity__has_gaps(&run->integrity);
	flow_writers__name(flow, &watching->log);
	workers->flow = flow;
	workers_advice__find(workers);
	return workers;
}

static int report(struct watching *watching, const struct run *run)
{
	struct workers *workers = document(watching, run);
	int status;

	if (!workers || !workers_flow__workers(workers->flow)) {
		workers__free(workers);
		return print_error("workers", EXIT_FORKTAX,
				   "no pool was found: no forked child went on "
				   "without executing another program");
	}
	status = print_workers("workers", workers, watching->request->display, stdout);
	workers__free(workers);
	return status;
}

/* Who is a member now. */
static int32_t *find_pids(size_t *count, void *context)
{
	const struct watching *watching = context;
	autofree char *reason = NULL;
	int32_t *pids = pool__pids(watching->member, count, NULL, &reason);

	return pids;
}

/* Of a pool that there is before the watch; NULL: a command. Takes the pids. */
static int trace(struct watching *watching, int32_t *pids, size_t pid_count)
{
	const struct workers_watch *request = watching->request;
	struct attach_options attach = {
		.duration_ns = request->duration_ns,
		.ready_fd = request->ready_fd,
		.notice = request->display->quiet ? NULL : "workers",
		.pids = pids,
		.pid_count = pid_count,
	};
	struct trace_request trace = {
		.argv = request->command,
		.fault_level = FAULTS_CLASSES,
		.flow = &watching->log,
		.stacks = request->stacks,
		.on_tick = on_tick,
		.tick_context = watching,
		.on_stopped = on_stopped,
		.stopped_context = watching,
		.pids_are_one_pool = true,
		.more_pids = find_pids,
		.more_context = watching,
	};
	enum trace_result result;
	struct run *run;
	char *message;
	int status;

	attach_options__apply(&attach, &trace);
	result = trace__run(&trace, &run, &message);
	attach_options__free(&attach);
	if (result != TRACE_OK) {
		print_error("workers", 0, "%s", message ? message : "out of memory");
		free(message);
		return failure(result);
	}
	if (watching->log.names_missing)
		print_error("workers", 0, "%s", watching->log.names_missing);
	status = report(watching, run);
	run__free(run);
	return status;
}

int workers_watch__run(const struct workers_watch *request)
{
	struct watching watching = { .request = request };
	size_t pid_count = 0;
	int32_t *pids = NULL;
	autofree char *reason = NULL;
	int status;

	if (request->pid) {
		bool has_master;

		/* Perhaps one, which may fork yet. */
		pids = pool__pids(request->pid, &pid_count, &has_master, &reason);
		if (!pids)
			return print_error("workers", EXIT_FORKTAX, "%s", reason);
		watching.member = pids[0];
		watching.orphans = !has_master;
	}
	watching.watch = pool_watch__new();
	status = trace(&watching, pids, pid_count);
	pool_watch__free(watching.watch);
	flow_log__release(&watching.log);
	workers__free(watching.state);
	return status;
}

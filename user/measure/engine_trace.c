// SPDX-License-Identifier: GPL-2.0-or-later
/* Traced runs of the cells, after the rounds. */
#include "measure/engine_parts.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/trace.h"

static void trace_cell(struct engine *engine, size_t cell)
{
	struct bench_task *task = engine->plan->tasks[cell];
	struct bench_cell *into = &engine->plan->bench->cells[cell];
	uint64_t count = fmin(into->operations, BENCH_TRACED_OPS);
	double begin = clock__now_s();
	char *reason = NULL;
	enum bench_outcome outcome;

	outcome = task->ops->trace(task, count, &engine->interrupt, into->per_op, &reason);
	engine->traced_s = clock__now_s() - begin;
	engine->stopped = outcome == TASK_INTERRUPTED || interrupt__came(&engine->interrupt) ||
			  (outcome == TASK_FAILED && engine->request->first_failure_ends);
	if (outcome != TASK_DONE)
		into->untraced = reason ? reason : checked_strdup("interrupted before");
}

static void trace_round(struct engine *engine, size_t round)
{
	size_t count = engine->plan->bench->cell_count;
	const size_t *cells = engine__next_order(engine);

	for (size_t i = 0; i < count && !engine->stopped; i++) {
		if (!engine__is_traceable(engine, cells[i]))
			continue;
		engine__show(engine, ENGINE_TRACING, round, i, cells[i]);
		trace_cell(engine, cells[i]);
	}
	if (!engine->stopped)
		engine->plan->traced_rounds++;
}

void engine__leave_untraced(struct engine *engine, const char *reason)
{
	struct bench *bench = engine->plan->bench;

	for (size_t i = 0; i < bench->cell_count; i++) {
		if (bench->cells[i].state == BENCH_MEASURED && !bench->cells[i].untraced)
			bench->cells[i].untraced = checked_strdup(reason);
	}
}

void engine__trace(struct engine *engine)
{
	const char *missing = trace__missing_privileges(&engine->request->tracing);

	if (missing) {
		char *reason = text__of("tracing needs %s", missing);

		engine__leave_untraced(engine, reason);
		free(reason);
	} else {
		engine__begin_orders(engine);
		for (size_t round = 0; round < engine->request->traced && !engine->stopped; round++)
			trace_round(engine, round);
	}
}

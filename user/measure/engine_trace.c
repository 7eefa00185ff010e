// SPDX-License-Identifier: GPL-2.0-or-later
/* One traced run of each cell, after the rounds. */
#include "measure/engine_parts.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "source/trace.h"

static void trace(struct engine *engine, size_t cell)
{
	struct bench_task *task = engine->plan->tasks[cell];
	struct bench_cell *into = &engine->plan->bench->cells[cell];
	uint64_t count = fmin(into->operations, BENCH_TRACED_OPS);
	double begin = clock__now_s();
	char *reason = NULL;
	enum bench_outcome outcome;

	outcome = task->ops->trace(task, count, &engine->interrupt, into->per_op, &reason);
	engine->traced_s = clock__now_s() - begin;
	engine->stopped = outcome == TASK_INTERRUPTED || interrupt__came(&engine->interrupt);
	if (outcome != TASK_DONE)
		into->untraced = reason ? reason : checked_strdup("interrupted before");
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
	const char *missing = trace__missing_privileges();
	size_t cell = 0;

	if (!engine->request->traced) {
		engine__leave_untraced(engine, "not asked for (--no-trace)");
	} else if (missing) {
		char *reason;

		if (asprintf(&reason, "tracing needs %s", missing) < 0)
			err(125, "out of memory");
		engine__leave_untraced(engine, reason);
		free(reason);
	} else {
		for (; cell < engine->plan->bench->cell_count && !engine->stopped; cell++) {
			if (!engine__is_traceable(engine, cell))
				continue;
			engine__show(engine, PHASE_TRACING, 0, cell, cell);
			trace(engine, cell);
		}
	}
}

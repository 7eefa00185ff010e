// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "measure/engine_parts.h"

struct bench_plan *bench_plan__new(struct bench *bench)
{
	struct bench_plan *plan = checked_calloc(1, sizeof(*plan));

	plan->bench = bench;
	plan->busy = NAN;
	plan->tasks = checked_calloc(bench->cell_count, sizeof(*plan->tasks));
	return plan;
}

void bench_plan__set_task(struct bench_plan *plan, uint32_t row, uint32_t column, struct bench_task *task)
{
	plan->tasks[row * plan->bench->column_count + column] = task;
}

struct bench *bench_plan__take(struct bench_plan *plan)
{
	struct bench *bench = plan->bench;

	for (size_t i = 0; i < bench->cell_count; i++) {
		struct bench_task *task = plan->tasks[i];

		if (task && task->ops->free)
			task->ops->free(task);
	}
	free(plan->tasks);
	free(plan);
	return bench;
}

void bench_plan__free(struct bench_plan *plan)
{
	if (plan)
		bench__free(bench_plan__take(plan));
}

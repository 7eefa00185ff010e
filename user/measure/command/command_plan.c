// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/command/command_rounds.h"

#include "base/memory.h"
#include "launch/cpu_choice.h"
#include "measure/command/command_task.h"

void variant__release(struct variant *variant)
{
	for (size_t i = 0; i < variant->run_count; i++)
		run__free(variant->runs[i]);
	free(variant->runs);
	free(variant->samples_ns);
	free(variant->cpu_ns);
	free(variant->others);
	variant->runs = NULL;
	variant->samples_ns = variant->cpu_ns = variant->others = NULL;
	variant->run_count = variant->sample_count = 0;
}

/* A row for each; labels need not differ. */
static struct bench_plan *make_plan(const struct rounds *rounds, struct variant *variants,
				    size_t count, struct rounds_end *end)
{
	struct bench *bench = bench__new(BENCH_COMMANDS);
	struct bench_plan *plan;

	for (size_t i = 0; i < count; i++)
		bench__add_row(bench, variants[i].label, NULL);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (size_t i = 0; i < count; i++) {
		variants[i].runs = checked_calloc(rounds->traced, sizeof(struct run *));
		bench_plan__set_task(plan, i, 0,
				     command_task__new(&variants[i], rounds, end));
	}
	return plan;
}

static double *take_values(struct bench_cell *cell, enum bench_metric metric, size_t rounds)
{
	double *values = bench_cell__room(cell, metric, rounds);

	cell->values[metric] = NULL;
	return values;
}

static void take_results(struct variant *variant, struct bench_cell *cell, size_t rounds,
			 const struct rounds_end *end)
{
	if (rounds) {
		variant->samples_ns = take_values(cell, BENCH_METRIC_TIME, rounds);
		variant->cpu_ns = take_values(cell, BENCH_METRIC_CPU, rounds);
		variant->others = take_values(cell, BENCH_METRIC_OTHERS, rounds);
	}
	variant->sample_count = end->timed;
	while (variant->run_count > end->traced)
		run__free(variant->runs[--variant->run_count]);
}

struct rounds_end rounds__measure(const struct rounds *rounds, struct variant *variants,
				  size_t count, bench_progress_fn *progress)
{
	const struct bench_request request = {
		.rounds = rounds->timed,
		.count = 1,
		.traced = rounds->traced,
		.first_failure_ends = true,
		.cpu = CPU_ANY,
		.progress = progress,
	};
	struct rounds_end end = { .failure = ROUNDS_GOOD };
	struct bench_plan *plan = make_plan(rounds, variants, count, &end);
	struct bench *bench;

	end.signal = bench_engine__run(plan, &request);
	end.traced = plan->traced_rounds;
	bench = bench_plan__take(plan);
	end.timed = bench->rounds;
	if (end.signal) { /* what that has ended looks like a failure */
		free(end.reason);
		end.failure = ROUNDS_GOOD;
		end.reason = NULL;
	}
	for (size_t i = 0; i < count; i++)
		take_results(&variants[i], &bench->cells[i], rounds->timed, &end);
	bench__free(bench);
	return end;
}

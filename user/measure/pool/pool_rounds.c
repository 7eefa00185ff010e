// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_rounds.h"

#include <stdlib.h>

#include "base/memory.h"
#include "launch/cpu_choice.h"

struct pool_task {
	struct bench_task task; /* first: it is what the engine knows */
	struct pool_rounds *rounds;
	size_t trial;
	struct pool_sample sample; /* of the last run, until it is kept or there is another ... */
	struct workers *state; /* ... and what was seen after its load */
};

static void forget(struct pool_task *pool)
{
	free(pool->sample.course);
	workers__free(pool->state);
	pool->sample = (struct pool_sample){ 0 };
	pool->state = NULL;
}

static enum bench_outcome run_pool(struct bench_task *task, uint64_t count,
				   struct interrupt *interrupt, struct bench_sample *sample,
				   char **reason)
{
	struct pool_task *pool = (struct pool_task *)task;
	enum pool_outcome outcome;

	forget(pool);
	outcome = pool_round__run(pool->rounds->plan, &pool->rounds->remedies[pool->trial], interrupt,
				  &pool->sample, &pool->state, reason);
	if (outcome == POOL_INTERRUPTED)
		return TASK_INTERRUPTED;
	if (outcome != POOL_DONE) {
		pool->rounds->failure = outcome;
		return TASK_FAILED;
	}
	sample->operations = 1;
	sample->elapsed_ns = (double)pool->sample.load_ns;
	sample->helper_ns = pool->sample.ksmd_ns == ABSENT ? 0 : (double)pool->sample.ksmd_ns;
	return TASK_DONE;
}

static void keep_sample(struct pool_trial *trial, size_t round, const struct pool_sample *sample)
{
	if (round < trial->sample_count) {
		free(trial->samples[round].course);
	} else {
		trial->samples = checked_grow(trial->samples, trial->sample_count, sizeof(*sample));
		trial->sample_count++;
	}
	trial->samples[round] = *sample;
}

static void keep(struct bench_task *task, size_t round)
{
	struct pool_task *pool = (struct pool_task *)task;
	struct pool_rounds *rounds = pool->rounds;

	keep_sample(&rounds->state->trials->list[pool->trial], round, &pool->sample);
	pool->sample.course = NULL;
	if (pool->trial || round)
		return;
	pool->state->trials = rounds->state->trials;
	rounds->state->trials = NULL;
	workers__free(rounds->state);
	rounds->state = pool->state;
	pool->state = NULL;
}

static void free_task(struct bench_task *task)
{
	forget((struct pool_task *)task);
	free(task);
}

static const struct bench_task_ops ops = { .measure = run_pool, .keep = keep, .free = free_task };

static struct bench_task *new_task(struct pool_rounds *rounds, size_t trial)
{
	struct pool_task *pool = checked_calloc(1, sizeof(*pool));

	pool->task.ops = &ops;
	pool->rounds = rounds;
	pool->trial = trial;
	return &pool->task;
}

/* A row for each way. */
static struct bench_plan *make_plan(struct pool_rounds *rounds)
{
	const struct pool_trials *trials = rounds->state->trials;
	struct bench *bench = bench__new(BENCH_COMMANDS);
	struct bench_plan *plan;

	for (size_t i = 0; i < trials->count; i++)
		bench__add_row(bench, pool_way_keys[trials->list[i].way], NULL);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (size_t i = 0; i < trials->count; i++)
		if (!trials->list[i].failure)
			bench_plan__set_task(plan, i, 0, new_task(rounds, i));
	return plan;
}

static void take_failures(struct pool_trials *trials, const struct bench *bench)
{
	for (size_t i = 0; i < trials->count; i++)
		if (bench->cells[i].state == BENCH_FAILED)
			trials->list[i].failure = checked_strdup(bench->cells[i].reason);
}

int pool_rounds__measure(struct pool_rounds *rounds)
{
	const struct bench_request request = {
		.rounds = rounds->rounds,
		.count = 1,
		.no_warm_ups = true, /* the trials begin with a run of the pool as it is */
		.cpu = CPU_ANY,
		.progress = rounds->progress,
	};
	struct bench_plan *plan = make_plan(rounds);
	int signal = bench_engine__run(plan, &request);

	take_failures(rounds->state->trials, plan->bench);
	bench_plan__free(plan);
	return signal;
}

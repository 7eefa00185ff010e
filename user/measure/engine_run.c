// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/engine_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "launch/child.h"
#include "launch/cpu_choice.h"
#include "launch/cpu_use.h"
#include "launch/interrupt.h"
#include "measure/machine.h"
#include "model/run/others.h"

/* The duration of a warm-up if operations are counted; a guess for the first traced run. */
enum { FIRST_COUNT = 4, GROWTH_MAX = 64, TRIES = 3 };
static const double warm_up_ns = 2e7, traced_guess_s = 0.5;

static uint64_t now_utc_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void give_up(struct engine *engine, size_t cell, char *reason)
{
	bench_cell__set_state(&engine->plan->bench->cells[cell], BENCH_FAILED, reason, NULL);
	free(reason);
	engine->stopped = engine->request->first_failure_ends;
}

/* False: the cell has failed, or everything is stopped. */
static bool measure_cell(struct engine *engine, size_t cell, uint64_t count, struct bench_sample *sample)
{
	struct bench_task *task = engine->plan->tasks[cell];
	const struct cpu_use before = cpu_use__now(engine->cpu);
	struct cpu_use after;
	char *reason = NULL;
	enum bench_outcome outcome;

	*sample = (struct bench_sample){ 0 };
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++)
		sample->values[metric] = NAN;
	outcome = task->ops->measure(task, count, &engine->interrupt, sample, &reason);
	after = cpu_use__now(engine->cpu);
	engine->cell_s[cell] = (after.wall - before.wall) / 1e9;
	if (outcome == TASK_INTERRUPTED || interrupt__came(&engine->interrupt))
		engine->stopped = true;
	if (outcome == TASK_FAILED && engine->stopped)
		free(reason); /* killed by the same Ctrl-C */
	else if (outcome == TASK_FAILED)
		give_up(engine, cell, reason);
	if (outcome == TASK_DONE) {
		after.own += sample->helper_ns;
		sample->values[BENCH_METRIC_TIME] = sample->elapsed_ns / sample->operations;
		sample->values[BENCH_METRIC_OTHERS] = cpu_use__others(&before, &after);
	}
	return outcome == TASK_DONE && !engine->stopped;
}

static uint64_t limited(const struct bench_task *task, double count)
{
	double most = task->count_max ? task->count_max : BENCH_COUNT_MAX;

	return fmax(1, fmin(ceil(count), most));
}

/* Runs more and more operations, until they last long enough to tell how many a round needs. */
static void warm_up(struct engine *engine, size_t cell)
{
	const struct bench_request *request = engine->request;
	const struct bench_task *task = engine->plan->tasks[cell];
	double enough = request->count ? warm_up_ns : request->min_time_ns / 2.0;
	uint64_t most = limited(task, request->count ? request->count : BENCH_COUNT_MAX);
	uint64_t count = limited(task, fmin(FIRST_COUNT, most));
	struct bench_sample sample;

	while (measure_cell(engine, cell, count, &sample)) {
		double others = sample.values[BENCH_METRIC_OTHERS];
		double per_operation = sample.values[BENCH_METRIC_TIME] * (1 - (others > 0 ? others : 0));
		double needed = request->min_time_ns * 1.05 / per_operation;

		if (sample.elapsed_ns >= enough || count >= most) {
			engine->plan->bench->cells[cell].operations = request->count ? most : limited(task, needed);
			/* A round takes longer than this warm-up by its additional operations. */
			engine->cell_s[cell] +=
				(engine->plan->bench->cells[cell].operations * per_operation - sample.elapsed_ns) / 1e9;
			return;
		}
		count = fmin(most, fmin(count * GROWTH_MAX, fmax(count * 2, ceil(needed))));
	}
}

static void set_operations(struct engine *engine)
{
	for (size_t i = 0; i < engine->plan->bench->cell_count; i++)
		if (engine__is_live(engine, i))
			engine->plan->bench->cells[i].operations = engine->request->count;
}

static void warm_up_all(struct engine *engine)
{
	for (size_t i = 0; i < engine->plan->bench->cell_count && !engine->stopped; i++) {
		if (!engine__is_live(engine, i))
			continue;
		for (size_t k = 0; k <= engine->request->more_warm_ups && engine__is_live(engine, i) &&
				   !engine->stopped; k++) {
			engine__show(engine, ENGINE_WARM_UP, 0, i, i);
			warm_up(engine, i);
		}
	}
}

static void keep(struct engine *engine, size_t cell, size_t round, const struct bench_sample *sample)
{
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		if (isnan(sample->values[metric]))
			continue;
		bench_cell__room(&engine->plan->bench->cells[cell], metric,
				 engine->request->rounds)[round] = sample->values[metric];
	}
}

static void stand_for(struct engine *engine, size_t cell, size_t round)
{
	struct bench_task *task = engine->plan->tasks[cell];

	if (task->ops->keep)
		task->ops->keep(task, round);
}

/* Keeps the quietest of a few tries, while there are repeats left. */
static bool measure_quietly(struct engine *engine, size_t cell, size_t round, struct bench_sample *sample)
{
	const struct bench_cell *into = &engine->plan->bench->cells[cell];
	const double limit = others__limit(into->values[BENCH_METRIC_OTHERS], round);

	if (!measure_cell(engine, cell, into->operations, sample))
		return false;
	stand_for(engine, cell, round);
	for (int try = 1; try < TRIES && engine->repeats_left && sample->values[BENCH_METRIC_OTHERS] > limit; try++) {
		struct bench_sample again;

		engine->repeats_left--;
		if (!measure_cell(engine, cell, into->operations, &again))
			return false;
		if (again.values[BENCH_METRIC_OTHERS] >= sample->values[BENCH_METRIC_OTHERS])
			continue;
		*sample = again; /* quieter, or nothing known about others */
		stand_for(engine, cell, round);
	}
	return true;
}

static void run_round(struct engine *engine, size_t round)
{
	struct bench *bench = engine->plan->bench;
	const size_t *cells = engine__next_order(engine);
	struct bench_sample sample;

	for (size_t i = 0; i < bench->cell_count && !engine->stopped; i++) {
		if (!engine__is_live(engine, cells[i]))
			continue;
		engine__show(engine, ENGINE_ROUNDS, round, i, cells[i]);
		if (measure_quietly(engine, cells[i], round, &sample))
			keep(engine, cells[i], round, &sample);
	}
	if (!engine->stopped)
		bench->rounds++;
}

/* Cells of an interrupted bench without a whole round stay pending. */
static void settle(struct engine *engine)
{
	struct bench *bench = engine->plan->bench;

	for (size_t i = 0; i < bench->cell_count; i++) {
		if (!engine__is_live(engine, i))
			continue;
		if (bench->rounds)
			bench_cell__set_state(&bench->cells[i], BENCH_MEASURED, NULL, NULL);
		else
			bench_cell__set_state(&bench->cells[i], BENCH_PENDING, "interrupted before", NULL);
	}
}

static bool has_live(const struct engine *engine)
{
	for (size_t i = 0; i < engine->plan->bench->cell_count; i++) {
		if (engine__is_live(engine, i))
			return true;
	}
	return false;
}

static void add_setting(struct bench *bench, const char *name, const char *format, double value)
{
	char text[64];

	snprintf(text, sizeof(text), format, value);
	bench_notes__add(&bench->settings, name, text);
}

static void note_rounds(const struct engine *engine)
{
	const struct bench_request *request = engine->request;
	struct bench *bench = engine->plan->bench;

	add_setting(bench, "rounds", "%.0f", request->rounds);
	if (request->count)
		add_setting(bench, "operations in a round", "%.0f", request->count);
	else
		add_setting(bench, "least time of a cell in a round", "%g ms", request->min_time_ns / 1e6);
	add_setting(bench, "seed of the order", "%.0f", engine->plan->seed);
}

static void measure_all(struct engine *engine)
{
	struct cpu_use before, after;

	if (engine->request->no_warm_ups)
		set_operations(engine);
	else if (engine->request->rounds)
		warm_up_all(engine);
	before = cpu_use__now(engine->cpu);
	for (size_t round = 0; round < engine->request->rounds && !engine->stopped; round++) {
		if (!has_live(engine))
			break;
		run_round(engine, round);
	}
	after = cpu_use__now(engine->cpu);
	if (engine->request->rounds)
		engine->plan->busy = cpu_use__others(&before, &after);
	if (engine->request->rounds)
		settle(engine);
	if (!engine->stopped)
		engine__trace(engine);
	if (engine->stopped)
		engine__leave_untraced(engine, "interrupted before");
}

int bench_engine__run(struct bench_plan *plan, const struct bench_request *request)
{
	struct bench *bench = plan->bench;
	struct engine engine = {
		.plan = plan,
		.request = request,
		.cpu = request->cpu,
		.traced_s = traced_guess_s,
		.repeats_left = request->rounds * bench->cell_count / 2, /* half of what is requested */
	};
	double begin = clock__now_s();
	int signal;

	engine.cell_s = checked_calloc(bench->cell_count, sizeof(*engine.cell_s));
	bench->started = now_utc_ns();
	bench->version = checked_strdup(FORKTAX_VERSION);
	engine__set_seed(&engine);
	note_rounds(&engine);
	machine__note(bench, request->cpu);
	if (cpu_choice__pin(request->cpu) < 0) {
		bench__warn(bench, "Could not stay on CPU %d: %s.", request->cpu, strerror(errno));
		engine.cpu = CPU_ANY;
	}
	child__adopt_orphans();
	interrupt__begin(&engine.interrupt);
	measure_all(&engine);
	signal = engine.stopped ? interrupt__came(&engine.interrupt) : 0;
	child__end_all();
	if (!signal)
		signal = interrupt__came(&engine.interrupt);
	interrupt__end(&engine.interrupt);
	free(engine.order);
	free(engine.cell_s);
	bench->wall_ns = (clock__now_s() - begin) * 1e9;
	bench->interrupted = engine.stopped && signal;
	return signal;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* How far the engine is, and how long the rest will take. */
#include "measure/engine_parts.h"

#include <math.h>

static double remaining(const struct engine *engine, const struct bench_progress *progress)
{
	const struct bench_request *request = engine->request;
	double passed = (double)progress->done / (double)engine->plan->bench->cell_count;
	double timed = 0, traced = (double)request->traced, seconds = 0;

	if (progress->phase == ENGINE_WARM_UP)
		return NAN;
	if (progress->phase == ENGINE_ROUNDS)
		timed = (double)request->rounds - passed;
	else
		traced -= passed;
	for (size_t i = 0; i < engine->plan->bench->cell_count; i++) {
		if (engine__is_live(engine, i) && timed > 0 && !engine->cell_s[i])
			return NAN;
		if (engine__is_live(engine, i))
			seconds += timed * engine->cell_s[i];
		if (engine__is_traceable(engine, i))
			seconds += traced * engine->traced_s;
	}
	return seconds;
}

void engine__show(const struct engine *engine, enum engine_phase phase, size_t round, size_t place, size_t cell)
{
	const struct bench *bench = engine->plan->bench;
	const size_t rounds[] = {
		[ENGINE_WARM_UP] = 1,
		[ENGINE_ROUNDS] = engine->request->rounds,
		[ENGINE_TRACING] = engine->request->traced,
	};
	struct bench_progress progress = {
		.phase = phase,
		.done = round * bench->cell_count + place,
		.of = rounds[phase] * bench->cell_count,
		.round = round,
		.rounds = rounds[phase],
		.row = bench->rows[cell / bench->column_count].name,
		.column = bench->columns[cell % bench->column_count].name,
	};

	progress.remaining_s = remaining(engine, &progress);
	if (engine->request->progress)
		engine->request->progress(engine->request->context, &progress);
}

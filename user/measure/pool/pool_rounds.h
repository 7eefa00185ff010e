/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool under its load as tasks of the engine: one for each way of running it.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_ROUNDS_H
#define FORKTAX_MEASURE_POOL_POOL_ROUNDS_H

#include "measure/engine.h"
#include "measure/pool/pool_round.h"

struct pool_rounds {
	const struct pool_plan *plan;
	const struct pool_remedy *remedies; /* by trial; prepared */
	/*
	 * With trials: those without a failure are run, and get samples or a failure. When the pool as it is
	 * has run in the first round, that state stands here, with the trials.
	 */
	struct workers *state;
	size_t rounds;
	bench_progress_fn *progress; /* NULL: nobody looks */
	enum pool_outcome failure; /* the last one, if any */
};

/*
 * Runs each way once in each round. A sample that a trial has for a round already is replaced; a way that
 * fails is not run again. Returns the signal that ended it early, or 0: then, too, samples are complete runs.
 */
int pool_rounds__measure(struct pool_rounds *rounds);

#endif

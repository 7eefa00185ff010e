/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of the engine share.
 */
#ifndef FORKTAX_MEASURE_ENGINE_PARTS_H
#define FORKTAX_MEASURE_ENGINE_PARTS_H

#include <stdbool.h>

#include "launch/interrupt.h"
#include "measure/engine.h"

struct engine {
	struct bench_plan *plan;
	const struct bench_request *request;
	struct interrupt interrupt;
	int cpu; /* we are pinned to; CPU_ANY: none */
	double *cell_s; /* how long a cell's part of a round takes, its preparations included */
	double traced_s; /* the same for the last traced run */
	size_t repeats_left; /* of disturbed measurements */
	unsigned short random[3]; /* state of erand48(3) */
	size_t *order; /* of the cells in the last round; NULL: there was none */
	bool turns_back; /* the next round has the same order backwards */
	bool stopped;
};

/* Is the cell being measured, or measured already? */
static inline bool engine__is_live(const struct engine *engine, size_t cell)
{
	enum bench_state state = engine->plan->bench->cells[cell].state;

	return engine->plan->tasks[cell] && (state == BENCH_PENDING || state == BENCH_MEASURED);
}

static inline bool engine__is_traceable(const struct engine *engine, size_t cell)
{
	return engine__is_live(engine, cell) && engine->plan->tasks[cell]->ops->trace &&
	       !engine->plan->bench->cells[cell].untraced;
}

/* Of all orders, as srand48(3) does: FORKTAX_SEED, that of the request, or by chance. The plan says it. */
void engine__set_seed(struct engine *engine);
/*
 * The order of all cells for the next round, which the engine keeps. Two rounds have a random one, forwards and
 * then backwards (A B B A): the first cell of a round is slower (by 0.7 %, measured), so each cell is
 * first as often as it is last; and what disturbs the machine periodically does not always hit the same cell.
 */
const size_t *engine__next_order(struct engine *engine);
/* Before other rounds: their first one has a new order. */
void engine__begin_orders(struct engine *engine);
/* Reports that this cell comes next, at that place of the round. */
void engine__show(const struct engine *engine, enum engine_phase phase, size_t round, size_t place, size_t cell);
/* Runs the traced rounds of all cells that can be traced. */
void engine__trace(struct engine *engine);
/* Stores why cells were not traced, in all measured ones that have no reason yet. */
void engine__leave_untraced(struct engine *engine, const char *reason);

#endif

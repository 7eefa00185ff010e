// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/log_bill.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { EDGES = 256 };
static const uint32_t NOTHING = UINT32_MAX; /* no row: the thread was not there */

/* A thread has done something until now, and does something else from now on. */
struct bill_edge {
	uint64_t ns;
	uint32_t thread;
	uint32_t row;
	bool runs;
};

struct bill_state {
	uint64_t each; /* what each running thread had had when it began */
	bool runs;
};

static void divide_clock(struct log_bill *log, uint64_t ns)
{
	if (ns <= log->at_ns) /* a line came late */
		return;
	if (log->running)
		log->each += ((ns - log->at_ns) << SHARE_BITS) / log->running;
	else
		log->slept_ns += ns - log->at_ns;
	log->at_ns = ns;
}

/* What all have slept until now belongs to the thread that sleeps no longer. */
static void divide_until(struct log_bill *log, const struct bill_edge *edge)
{
	struct bill_state *state = &log->states[edge->thread];
	struct bill_row *row = edge->row == NOTHING ? NULL : &log->bill.rows[edge->row];

	divide_clock(log, edge->ns);
	if (row && state->runs) {
		row->wall_ns += log->each - state->each;
	} else if (row) {
		row->wall_ns += log->slept_ns << SHARE_BITS;
		log->slept_ns = 0;
	}
	log->running += edge->runs - state->runs;
	*state = (struct bill_state){ log->each, edge->runs };
}

static void divide(struct log_bill *log, size_t count)
{
	for (size_t i = 0; i < count; i++)
		divide_until(log, &log->edges[i]);
	log->count -= count;
	memmove(log->edges, log->edges + count, log->count * sizeof(*log->edges));
}

/* Times of a thread never go back: each is rounded. */
static void add_edge(struct log_bill *log, struct live_task *task, uint64_t ns, size_t row, bool runs)
{
	size_t at;

	if (log->count == EDGES)
		divide(log, EDGES / 2);
	if (!log->edges)
		log->edges = checked_calloc(EDGES, sizeof(*log->edges));
	if (!task->number) {
		log->states = checked_grow(log->states, log->threads, sizeof(*log->states));
		log->states[log->threads] = (struct bill_state){ 0 };
		task->number = ++log->threads;
	}
	task->edge_ns = ns > task->edge_ns ? ns : task->edge_ns;
	for (at = log->count++; at && log->edges[at - 1].ns > task->edge_ns; at--)
		log->edges[at] = log->edges[at - 1];
	log->edges[at] = (struct bill_edge){ task->edge_ns, task->number - 1, row, runs };
}

static size_t row_of(struct log_bill *log, const struct live_task *task, struct bill_key key)
{
	const struct process *process = &task->process->is;

	key.exe = task->process->exe;
	key.executed = process->images[process->image_count - 1].kind == IMAGE_EXEC ||
		       process->birth == BIRTH_ATTACHED;
	return bill__row(&log->bill, &log->numbers, &key);
}

/* Counts the call, too. */
static size_t call_row(struct log_bill *log, const struct live_task *task, uint32_t error)
{
	const struct call_kind *kind = task->in_call;
	struct bill_key key = { .kind = BILL_CALL, .nr = kind->known_nr, .abi = kind->abi, .error = error };
	size_t row;

	if (kind->known_nr < 0)
		key = (struct bill_key){ .kind = BILL_CODE, .nr = -1 };
	else if (task->waits)
		key = (struct bill_key){ .kind = BILL_ASLEEP, .nr = key.nr, .abi = key.abi };
	row = row_of(log, task, key);
	log->bill.rows[row].count += key.kind == BILL_CALL;
	return row;
}

void log_bill__begin(struct log_bill *log, struct live_task *task, bool waits)
{
	const struct call_kind *kind = task->call.kind;

	if (log->is_unknown || task->in_call)
		return;
	task->in_call = kind;
	task->waits = waits && kind->known_nr >= 0 && bill__sleeps_for(kind->name);
	add_edge(log, task, task->call.begin_ns,
		 task->number ? row_of(log, task, (struct bill_key){ .kind = BILL_CODE, .nr = -1 }) : NOTHING,
		 !task->waits);
}

void log_bill__return(struct log_bill *log, struct live_task *task, uint64_t ns, uint32_t error)
{
	if (log->is_unknown)
		return;
	add_edge(log, task, ns, call_row(log, task, error), true);
	task->in_call = NULL;
}

void log_bill__end(struct log_bill *log, struct live_task *task, uint64_t ns)
{
	if (task->number && !log->is_unknown)
		add_edge(log, task, ns,
			 task->in_call ? call_row(log, task, 0)
				       : row_of(log, task, (struct bill_key){ .kind = BILL_CODE, .nr = -1 }), false);
}

struct bill *log_bill__finish(struct log_bill *log, uint64_t wall_ns)
{
	struct bill *bill;

	if (log->is_unknown || !log->threads)
		return NULL;
	divide(log, log->count);
	divide_clock(log, wall_ns);
	log->bill.wall_ns = log->at_ns;
	if (!bill__round(&log->bill))
		return NULL;
	bill = checked_calloc(1, sizeof(*bill));
	*bill = log->bill;
	log->bill = (struct bill){ 0 };
	return bill;
}

void log_bill__free(struct log_bill *log)
{
	hash__release(&log->numbers);
	free(log->edges);
	free(log->states);
	free(log->bill.rows);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/log_bill.h"

#include <stdlib.h>

#include "base/memory.h"

/* Until `ns`, or where a line came late, until the one before. */
static void divide_clock(struct log_bill *log, uint64_t ns)
{
	if (ns <= log->at_ns)
		return;
	if (log->running)
		log->each += ((ns - log->at_ns) << SHARE_BITS) / log->running;
	else
		log->slept_ns += ns - log->at_ns;
	log->at_ns = ns;
}

/* A thread that has run, or slept, does so no longer. What all have slept until then belongs to the one that wakes. */
static void end_stay(struct log_bill *log, struct live_task *task, size_t number, bool runs)
{
	struct bill_row *row = &log->bill.rows[number];

	divide_clock(log, task->edge_ns);
	if (task->runs) {
		row->wall_ns += log->each - task->each;
	} else if (task->is_there) {
		row->wall_ns += log->slept_ns << SHARE_BITS;
		log->slept_ns = 0;
	}
	log->running += runs - task->runs;
	task->each = log->each;
	task->is_there = true;
	task->runs = runs;
}

/* Calls that have returned until then. */
static void take_returns(struct log_bill *log, uint64_t ns)
{
	for (; log->count && log->returned[log->count - 1]->edge_ns <= ns; log->count--)
		end_stay(log, log->returned[log->count - 1], log->returned[log->count - 1]->row, true);
}

static size_t row_of(struct log_bill *log, const struct live_task *task, struct bill_key key)
{
	const struct process *process = &task->process->is;

	key.exe = task->process->exe;
	key.executed = process->images[process->image_count - 1].kind == IMAGE_EXEC ||
		       process->birth == BIRTH_ATTACHED;
	return bill__row(&log->bill, &log->numbers, &key);
}

/* Of what the thread does now. Counts the call, too. */
static size_t current_row(struct log_bill *log, const struct live_task *task, uint32_t error)
{
	struct bill_key key = { .kind = BILL_CODE, .nr = -1 };
	size_t row;

	if (task->in_call && task->in_call->known_nr >= 0)
		key = (struct bill_key){ .kind = task->waits ? BILL_ASLEEP : BILL_CALL,
					 .nr = task->in_call->known_nr, .abi = task->in_call->abi,
					 .error = task->waits ? 0 : error };
	row = row_of(log, task, key);
	log->bill.rows[row].count += key.kind == BILL_CALL;
	return row;
}

/* Times of a thread are rounded, and never go back. Who has returned before is taken first. */
static void reach(struct log_bill *log, struct live_task *task, uint64_t ns)
{
	take_returns(log, ns > task->edge_ns ? ns : task->edge_ns);
	task->edge_ns = ns > task->edge_ns ? ns : task->edge_ns;
}

void log_bill__begin(struct log_bill *log, struct live_task *task, bool waits)
{
	const struct call_kind *kind = task->call.kind;

	if (task->in_call)
		return;
	reach(log, task, task->call.begin_ns);
	task->waits = waits && kind->known_nr >= 0 && bill__sleeps_for(kind->name);
	end_stay(log, task, task->is_there ? current_row(log, task, 0) : 0, !task->waits);
	task->in_call = kind;
}

void log_bill__return(struct log_bill *log, struct live_task *task, uint64_t ns, uint32_t error)
{
	size_t at;

	task->edge_ns = ns > task->edge_ns ? ns : task->edge_ns;
	task->row = current_row(log, task, error);
	log->returned = checked_grow(log->returned, log->count, sizeof(*log->returned));
	for (at = log->count++; at && log->returned[at - 1]->edge_ns < task->edge_ns; at--)
		log->returned[at] = log->returned[at - 1];
	log->returned[at] = task;
	task->in_call = NULL;
}

void log_bill__end(struct log_bill *log, struct live_task *task, uint64_t ns)
{
	reach(log, task, ns);
	if (task->is_there)
		end_stay(log, task, current_row(log, task, 0), false);
}

struct bill *log_bill__finish(struct log_bill *log, uint64_t wall_ns)
{
	struct bill *bill;

	if (log->is_unknown || !log->bill.count)
		return NULL;
	take_returns(log, wall_ns);
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
	free(log->returned);
	free(log->bill.rows);
}

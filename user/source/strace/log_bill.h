/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the time of a log goes (docs/use/bill.md): its clock, divided among the threads that are outside of calls that
 * wait. strace does not see who has a CPU.
 */
#ifndef FORKTAX_SOURCE_STRACE_LOG_BILL_H
#define FORKTAX_SOURCE_STRACE_LOG_BILL_H

#include "model/tree/bill.h"
#include "source/strace/life.h"

struct log_bill {
	struct bill bill; /* its rows so far, with units of bill__round() */
	struct hash numbers; /* of these */
	uint64_t at_ns; /* up to which the clock is divided */
	uint64_t each; /* what a thread would have that has run all the time */
	uint64_t slept_ns; /* when none ran, and no row has it yet */
	struct bill_edge *edges; /* owned; the last ones, by time: lines of a log are not quite in order */
	struct bill_state *states; /* owned; of threads */
	size_t count;
	uint32_t threads, running;
	bool is_unknown; /* a call has no time, or nobody asks */
};

/* The thread has begun its call. `waits`: it took long, or others went on meanwhile. */
void log_bill__begin(struct log_bill *log, struct live_task *task, bool waits);
/* It has returned, with an errno; 0: none. */
void log_bill__return(struct log_bill *log, struct live_task *task, uint64_t ns, uint32_t error);
void log_bill__end(struct log_bill *log, struct live_task *task, uint64_t ns);
/* NULL: it is not known. To be freed with the run. */
struct bill *log_bill__finish(struct log_bill *log, uint64_t wall_ns);
void log_bill__free(struct log_bill *log);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts calls one by one, for a run that shall have only some of them.
 */
#ifndef FORKTAX_SOURCE_CALLS_CALL_TALLY_H
#define FORKTAX_SOURCE_CALLS_CALL_TALLY_H

#include "model/files/call_record.h"
#include "model/run/run.h"
#include "source/calls/stream_process.h"

struct call_tally;

struct call_tally *call_tally__new(void);
void call_tally__free(struct call_tally *tally); /* NULL is fine */

void call_tally__call(struct call_tally *tally, struct stream_process *process,
		      const struct call_record *call);
/* The process is gone; what it called belongs to this group now (by number; 0: roots). */
void call_tally__exit(struct call_tally *tally, struct stream_process *process, uint32_t group,
		      bool finished);
/*
 * Puts what was counted in the place of all counts of calls of the run: in tables, groups and images.
 * `positions`: of the groups in run.groups, by their numbers.
 */
void call_tally__finish(struct call_tally *tally, struct run *run, const uint32_t *positions,
			uint32_t count);

#endif

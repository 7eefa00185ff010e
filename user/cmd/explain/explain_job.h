/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The job of `forktax explain`, and its steps.
 */
#ifndef FORKTAX_CMD_EXPLAIN_EXPLAIN_JOB_H
#define FORKTAX_CMD_EXPLAIN_EXPLAIN_JOB_H

#include "analysis/forks/fork_breakdowns.h"
#include "cmd/options/sets.h"
#include "measure/command/command_rounds.h"
#include "report/options.h"

struct explain_job {
	/* How often, and how, commands are run to try advice. */
	struct rounds rounds;
	bool runs_given; /* by -n: keep to it, however long it takes */
	bool no_try;
	bool startup; /* explain the start, whether it forks or not */
	char **argv; /* the command; NULL: attach */
	char *path; /* of its executable; owned */
	struct attach_options attach;
	struct estimate costs[COST_COUNT];
};

/* These return 0 or, after a complaint, the exit status. */

/*
 * Traces the command once, or the processes, into `run` (to be freed). A command that does not fork is
 * traced again with its start, unless that was asked for at once.
 */
int explain__look(struct explain_job *job, struct run **run);
/*
 * Traces the command once more, into `run` (to be freed): for what its processes do with files, if children open many,
 * and for what they wait, if that takes long. Else, with --no-try, and where it fails this time, that is NULL. Stores
 * the signal of Ctrl-C, which *signal is without.
 */
void explain__look_at_files(struct explain_job *job, const struct run *seen, struct run **run, int *signal);
/*
 * Runs the command a few times without tracing, unless that takes long, nothing is to be timed or the run has no bill:
 * the bill gets the medians. Stores the signal of Ctrl-C, or 0.
 */
int explain__time_untraced(struct explain_job *job, struct run *run, int *signal);
/*
 * Tries the advice of the run where that is possible, and stores what was measured. `breakdowns` are those of the run.
 * After Ctrl-C, now or before (*signal), it stores the results so far, and the signal: forktax must die of it after
 * showing the run.
 */
int explain__try(struct explain_job *job, struct run *run, const struct fork_breakdowns *breakdowns, int *signal);

#endif

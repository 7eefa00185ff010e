/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax explain` is to do, and the steps in which it does it.
 */
#ifndef FORKTAX_CMD_EXPLAIN_EXPLAIN_JOB_H
#define FORKTAX_CMD_EXPLAIN_EXPLAIN_JOB_H

#include "analysis/forks/fork_bills.h"
#include "cmd/options/attach.h"
#include "measure/command/command_rounds.h"
#include "report/options.h"

struct explain_job {
	/* Of trying advice: how often, and how commands are run. */
	struct rounds rounds;
	bool runs_given; /* -n: keep to it, however long that takes */
	bool no_try;
	char **argv; /* of the command; NULL: attach */
	char *path; /* of its executable; owned */
	char *against; /* path of another executable, for the same arguments; NULL; owned */
	struct attach_options attach;
	struct estimate costs[COST_COUNT];
};

/* These return 0 or, after a complaint, the exit status. */

/* Traces the command once, or the processes, into `run` (to be freed). */
int explain__look(struct explain_job *job, struct run **run);
/*
 * Tries what run->anatomy->advice says, as far as it can be tried, and fills what was measured.
 * Compares with job->against, too. `bills` are those of the run. After Ctrl-C it fills what it can and
 * stores the signal, of which forktax is to die when the run has been shown; else 0.
 */
int explain__try(struct explain_job *job, struct run *run, const struct fork_bills *bills,
		 int *signal);

#endif

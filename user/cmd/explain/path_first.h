/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command with a directory of other builds of its programs first in PATH: tried, by running it with and without.
 */
#ifndef FORKTAX_CMD_EXPLAIN_PATH_FIRST_H
#define FORKTAX_CMD_EXPLAIN_PATH_FIRST_H

#include "cmd/explain/explain_job.h"

/* These return 0 or, after a complaint, the exit status. */

/* The absolute path of a directory that has programs, to be freed. */
int path_first__find(const char *given, char **directory);
/*
 * Stores in run->tree_times->path_trial which starts took a program of job->path_first, whether the command then writes
 * the same and ends in the same way, and if it does what that saves. Stores the signal of Ctrl-C.
 */
int explain__try_path(struct explain_job *job, struct run *run, int *signal);

#endif

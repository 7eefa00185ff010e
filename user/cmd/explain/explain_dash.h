/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bash script that dash runs as well: tried, by running it with both.
 */
#ifndef FORKTAX_CMD_EXPLAIN_EXPLAIN_DASH_H
#define FORKTAX_CMD_EXPLAIN_EXPLAIN_DASH_H

#include "cmd/explain/explain_job.h"

/*
 * Puts L15 before run->lines->advice if the command is such a script: its text has nothing that only bash understands,
 * `dash -n` accepts it, and two runs by each shell write the same bytes and end in the same way. Returns 0 or, after a
 * complaint, the exit status; stores the signal of Ctrl-C.
 */
int explain__try_dash(struct explain_job *job, struct run *run, int *signal);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The start of a command without privileges: the strace that is installed writes a log, which is read as
 * `forktax report LOG` reads it.
 */
#ifndef FORKTAX_CMD_EXPLAIN_BY_STRACE_H
#define FORKTAX_CMD_EXPLAIN_BY_STRACE_H

#include "cmd/explain/explain_job.h"

struct report_options;

/* Was strace asked for, or is there no other way to explain the start that was asked for? */
bool explain__takes_strace(const struct explain_job *job, const char *missing);
/* Runs and prints it. Returns the exit status. */
int explain__by_strace(const struct explain_job *job, const char *missing, const struct report_options *display);

#endif

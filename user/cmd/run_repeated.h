/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forktax run -n: one command, traced again and again.
 */
#ifndef FORKTAX_CMD_RUN_REPEATED_H
#define FORKTAX_CMD_RUN_REPEATED_H

#include "report/options.h"
#include "source/trace.h"

struct repetition {
	uint32_t runs; /* 0: a single one, which is reported as a run */
	bool ignore_failure; /* go on when the command fails */
};

/* Is there anything that only a single run has? 0, or EXIT_USAGE after a complaint. */
int repetition__check(const struct repetition *repetition, const struct trace_request *request,
		      const struct report_options *display);
/*
 * Traces and reports. Returns the exit status: that of the command if it has failed, which ends the
 * repetition unless failures are ignored. Nothing is reported then.
 */
int repetition__run(const struct repetition *repetition, const struct trace_request *request,
		    const struct report_options *display);
/* A complaint of tracing as an exit status; frees the message. */
int complain_untraced(enum trace_result result, char *message);

#endif

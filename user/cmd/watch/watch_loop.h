/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Watches until a signal, the duration, or `q`: takes a sample each interval and hands it to a view, a text file,
 * profiles or a line of JSON.
 */
#ifndef FORKTAX_CMD_WATCH_WATCH_LOOP_H
#define FORKTAX_CMD_WATCH_WATCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "model/watch/watch.h"
#include "source/trace.h"

struct watch_loop_request {
	const struct trace_request *whom;
	enum watch_level level;
	uint64_t every_ns, duration_ns; /* duration: 0: no limit */
	const char *textfile; /* NULL: none */
	const char *pprof_dir; /* where profiles are written; NULL: nowhere */
	uint64_t pprof_keep; /* so many */
	bool as_view, as_lines;
	double budget; /* share of all CPUs; 0: none */
	uint64_t up_after_ns; /* watch_budget.up_after */
	uint64_t pools_ns; /* how often pools are read */
};

/* Returns the exit status. */
int watch_loop__run(const struct watch_loop_request *request);

#endif

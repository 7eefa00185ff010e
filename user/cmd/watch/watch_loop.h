/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Watches until a signal or the duration: takes a sample each interval and writes it to a text file, or as a line of
 * JSON.
 */
#ifndef FORKTAX_CMD_WATCH_WATCH_LOOP_H
#define FORKTAX_CMD_WATCH_WATCH_LOOP_H

#include <stdint.h>

#include "model/watch/watch.h"
#include "source/trace.h"

struct watch_loop_request {
	const struct trace_request *whom;
	enum watch_level level;
	uint64_t every_ns, duration_ns; /* duration: 0: no limit */
	const char *textfile; /* NULL: lines of JSON on stdout */
};

/* Returns the exit status. */
int watch_loop__run(const struct watch_loop_request *request);

#endif

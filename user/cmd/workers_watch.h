/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The flow of a pool: forktax workers --duration, or with a command.
 */
#ifndef FORKTAX_CMD_WORKERS_WATCH_H
#define FORKTAX_CMD_WORKERS_WATCH_H

#include <stdint.h>

#include "report/options.h"

struct workers_watch {
	int32_t pid; /* of a member; 0: a command */
	char **command;
	uint64_t duration_ns; /* 0: until a signal, or the end of all */
	bool stacks; /* of copies */
	int ready_fd; /* as in struct attach_options */
	const struct report_options *display;
};

/* Returns the exit status. */
int workers_watch__run(const struct workers_watch *request);

#endif

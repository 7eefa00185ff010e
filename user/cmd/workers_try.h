/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * forktax workers --load: a pool that is started for it, under its user's load.
 */
#ifndef FORKTAX_CMD_WORKERS_TRY_H
#define FORKTAX_CMD_WORKERS_TRY_H

#include <stdbool.h>
#include <stdint.h>

#include "report/options.h"

struct workers_try {
	const char *load; /* for the shell; NULL: none was given */
	const char *ready; /* the same; NULL: the pool is ready when it has forked and rests */
	uint64_t wait_ns;
	uint64_t runs;
	bool no_try;
	const char *restart; /* shell command that restarts the workers; NULL: not given */
};

/* Returns the exit status, after complaints. */
int workers_try__run(const struct workers_try *try, char **argv,
		     const struct report_options *display);

#endif

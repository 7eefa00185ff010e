/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool that is looked at again and again: forktax workers --every.
 */
#ifndef FORKTAX_CMD_WORKERS_EVERY_H
#define FORKTAX_CMD_WORKERS_EVERY_H

#include <stdint.h>

#include "report/options.h"

struct workers_every {
	int32_t pid; /* of a member */
	uint64_t every_ns;
	uint64_t sample; /* as in struct pool_request */
	const struct report_options *display;
};

/* Both return the exit status. Can these options be had again and again? 0, or a complaint. */
int workers_every__check(const struct report_options *display);
/* Until a signal, or the end of the pool. */
int workers_every__run(const struct workers_every *request);

#endif

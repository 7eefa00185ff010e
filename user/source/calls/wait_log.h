/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps the calls that sleep, with what they sleep for. An address is that to which the socket was connected, or to
 * which something was sent.
 */
#ifndef FORKTAX_SOURCE_CALLS_WAIT_LOG_H
#define FORKTAX_SOURCE_CALLS_WAIT_LOG_H

#include "model/files/call_record.h"
#include "model/files/files.h"
#include "source/calls/path_table.h"
#include "source/calls/stream_process.h"

/* Calls that took less are not kept; further ones than so many are not, either. */
enum { WAIT_NS_LEAST = 100000, WAITS_MOST = 1 << 14 };

struct wait_log {
	struct wait *list; /* owned, until wait_log__finish() */
	size_t count;
	uint64_t left_out;
};

/* Before the call has its effect on the descriptors of the process. */
void wait_log__call(struct wait_log *log, struct path_table *paths, struct stream_process *process,
		    const struct call_record *call);
/* Moves all waits into `files`; none of them if some found no room, as these may have taken most of the time. */
void wait_log__finish(struct wait_log *log, struct files *files);
void wait_log__release(struct wait_log *log);

#endif

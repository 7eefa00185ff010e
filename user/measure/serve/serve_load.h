/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load: connections to a port of this machine, several at once. Each sends a request and reads
 * until the server closes; it counts if the answer is complete.
 */
#ifndef FORKTAX_MEASURE_SERVE_SERVE_LOAD_H
#define FORKTAX_MEASURE_SERVE_SERVE_LOAD_H

#include <stddef.h>
#include <stdint.h>

enum load_outcome { LOAD_DONE, LOAD_STOPPED /* a descriptor became readable */, LOAD_FAILED };

struct load_request {
	uint16_t port;
	uint32_t concurrency;
	uint64_t count; /* connections; may be 0 */
	int stops[2]; /* descriptors that end it when readable; -1: none */
};

/*
 * `durations` (room for `count`, or NULL) gets the time of each connection, in no order: ns from before
 * connect(2) until the server closes. LOAD_FAILED stores a reason (to be freed).
 */
enum load_outcome load__run(const struct load_request *request, double *durations, double *elapsed_ns, char **reason);

/*
 * Opens `concurrency` connections without sending a request, calls `look`, and closes them.
 */
enum load_outcome load__hold(const struct load_request *request, void (*look)(void *context),
			     void *context, char **reason);

#endif

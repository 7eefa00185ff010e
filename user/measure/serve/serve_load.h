/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load: connections to a port of this machine, so many at once. Each sends a request, reads
 * until the server closes, and counts if the answer is whole.
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
	int stops[2]; /* descriptors whose being readable ends it: -1 each where there is none */
};

/*
 * `durations` (room for `count`) gets ns from before connect(2) until the server has closed, of
 * each connection, in no order; NULL: nobody asks. LOAD_FAILED stores a reason (to be freed).
 */
enum load_outcome load__run(const struct load_request *request, double *durations,
			    double *elapsed_ns, char **reason);

/*
 * Holds `concurrency` connections open that have not said what they want, while `look` is called.
 * Then they are closed.
 */
enum load_outcome load__hold(const struct load_request *request, void (*look)(void *context),
			     void *context, char **reason);

#endif

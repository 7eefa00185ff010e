/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax bench serve` and its server (samples/server) share: a page of memory. Plain types
 * only, because the server is built with any libc.
 */
#ifndef FORKTAX_BENCH_SERVE_PAGE_H
#define FORKTAX_BENCH_SERVE_PAGE_H

#include <stdint.h>

/* Of all children that one process has waited for: getrusage(RUSAGE_CHILDREN). */
struct serve_reaped {
	uint64_t cpu_ns, minor_faults;
	int32_t pid; /* the process; written before `ready`; 0: there is none */
	uint32_t reported; /* raised when the figures have been brought up to date: after SIGUSR1 */
};

enum {
	REAPER_SERVER, /* the process that was started */
	REAPER_DAEMON, /* the one that forks on demand */
	REAPER_COUNT,
};

struct serve_page {
	uint32_t ready; /* the server accepts connections, all its workers are there */
	struct serve_reaped reapers[REAPER_COUNT];
	char failure[200]; /* of the load beside a traced server: a phrase, NUL-terminated */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One run of a pool under a load: start, wait until it is ready, look, load, look, end. No process is
 * left behind, and same-page merging is as it was, whatever happens.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_ROUND_H
#define FORKTAX_MEASURE_POOL_POOL_ROUND_H

#include "launch/interrupt.h"
#include "measure/pool/pool_remedy.h"
#include "model/workers/workers.h"

struct pool_plan {
	const char *path; /* of the executable */
	char *const *argv; /* NULL-terminated */
	const char *load; /* for /bin/sh -c */
	const char *ready; /* the same: succeeds when it is; NULL: when the pool has forked and rests */
	double wait_ns; /* until it is ready, at most; after the load, until its pages are merged */
	const char *restart; /* for the shell: makes the pool of $MASTER restart its workers; NULL: none */
	double restart_ns; /* how often, while the load runs */
};

enum pool_outcome {
	POOL_DONE,
	POOL_FAILED, /* the pool, or looking at it ... */
	POOL_LOAD_FAILED, /* ... or the load ... */
	POOL_LOAD_MISSING, /* ... or the shell did not find it ... */
	POOL_REFUSED, /* ... or the pool could not be executed: with a reason */
	POOL_INTERRUPTED,
};

/*
 * Fills the sample and, unless `reported` is NULL, stores the state after the load (to be freed).
 * The sample's course is to be freed if it is done, and `reason`. Call child__adopt_orphans() once before the first.
 */
enum pool_outcome pool_round__run(const struct pool_plan *plan, const struct pool_remedy *remedy,
				  struct interrupt *interrupt, struct pool_sample *sample,
				  struct workers **reported, char **reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looks at a pool of forked processes, from outside: nothing is traced, stopped or changed.
 */
#ifndef FORKTAX_POOL_POOL_H
#define FORKTAX_POOL_POOL_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/workers/flow_log.h"
#include "model/workers/workers.h"

enum { READINGS_MOST = 3 };

struct pool_request {
	pid_t pid;
	bool may_be_alone;
	const struct flow_log *seen; /* copies that a watch saw; NULL: there was none */
};
/*
 * The state of the pool that `pid` is a member of. A pool that moved while it was read is read again,
 * at most READINGS_MOST times. NULL and a reason (to be freed) if there is no such process, or it may
 * not be looked at, or it is no pool, unless `may_be_alone`: then without workers.
 */
struct workers *pool__look_at(const struct pool_request *request, char **reason);

/*
 * The members of the pool of `pid`, the master first if it still lives (`has_master` may be NULL), to be freed. NULL
 * and a reason (to be freed): there is no such process, or it may not be looked at.
 */
int32_t *pool__pids(pid_t pid, size_t *count, bool *has_master, char **reason);

#endif

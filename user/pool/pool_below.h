/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pools below a process that is in none itself: people know the pid of what they started, which may be a
 * shell, sudo, env or the init of a container.
 */
#ifndef FORKTAX_POOL_POOL_BELOW_H
#define FORKTAX_POOL_POOL_BELOW_H

#include "pool/pool_process.h"

/*
 * The master, or else the oldest member, of each pool of at least two processes among the descendants of `pid`, to be
 * freed; NULL: there is none. Processes that may not be read are in none.
 */
struct pool_process *pool_below__find(pid_t pid, size_t *count);
/*
 * A member of the pool with most workers, where all members are among these processes: workers have executed nothing
 * since they were forked. 0: no pool has two of them.
 */
pid_t pools__largest(const int32_t *pids, size_t pid_count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process that clears up if forktax is killed: it ends the groups of the pool and its load, and restores
 * same-page merging.
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_GUARD_H
#define FORKTAX_MEASURE_POOL_POOL_GUARD_H

#include <sys/types.h>

#include "measure/pool/pool_ksm.h"

struct pool_guard {
	pid_t pid;
	int fd; /* that it waits at */
};

/* `ksm` NULL: nothing to restore. Returns 0, or -1 with errno. */
int pool_guard__begin(struct pool_guard *guard, const struct pool_ksm *ksm);
/* Tells it a group that it would have to end, or not any more: two at a time. */
void pool_guard__watch(struct pool_guard *guard, pid_t group);
void pool_guard__forget(struct pool_guard *guard, pid_t group);
/* Nothing is left to clear up. */
void pool_guard__end(struct pool_guard *guard);

#endif

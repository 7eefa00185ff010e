/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who belongs to a pool: a master, and the processes that were forked from it, at whatever remove,
 * and have executed nothing since.
 */
#ifndef FORKTAX_POOL_POOL_MEMBERS_H
#define FORKTAX_POOL_POOL_MEMBERS_H

#include "pool/pool_process.h"

struct pool_members {
	struct pool_process *list; /* the master first, then by age, the oldest first; owned */
	size_t count;
	/* False: they were forked from one that is none of them: it has ended, or executes something else. */
	bool has_master;
	uint64_t unreadable; /* children of members for which that cannot be known */
	uint64_t executed; /* children of members that execute another program */
};

/*
 * The pool that `pid` is a member of: it alone, if there are no others. Returns 0, or -1 and a reason
 * (to be freed): it does not exist, has ended, is a kernel thread, or may not be looked at.
 */
int pool_members__find(struct pool_members *members, pid_t pid, char **reason);
void pool_members__release(struct pool_members *members);
bool pool_members__has(const struct pool_members *members, pid_t pid);

#endif

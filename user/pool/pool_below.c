// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_below.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/procfs.h"
#include "pool/pool_members.h"

struct processes {
	struct pool_process *list;
	size_t count;
};

static void add(struct processes *processes, const struct pool_process *process)
{
	processes->list = checked_grow(processes->list, processes->count, sizeof(*process));
	processes->list[processes->count++] = *process;
}

static struct processes all_processes(void)
{
	struct processes all = { 0 };
	struct pool_process process;
	size_t count;
	int32_t *pids = procfs__pids(&count);

	for (size_t i = 0; i < count; i++)
		if (pool_process__read(&process, pids[i]))
			add(&all, &process);
	free(pids);
	return all;
}

/* Children before grandchildren: the loop goes on with those that it adds. */
static struct processes descendants_of(pid_t pid)
{
	struct processes all = all_processes(), found = { 0 };
	pid_t parent = pid;

	for (size_t done = 0;; parent = found.list[done++].pid) {
		for (size_t i = 0; i < all.count; i++)
			if (all.list[i].parent == parent && all.list[i].pid != pid)
				add(&found, &all.list[i]);
		if (done == found.count)
			break;
	}
	free(all.list);
	return found;
}

static bool is_listed(const struct processes *processes, pid_t pid)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->list[i].pid == pid)
			return true;
	return false;
}

/* The pool of one descendant, unless a member of it was seen already. */
static void take_pool(struct processes *pools, struct processes *members, pid_t pid)
{
	struct pool_members pool;
	char *reason = NULL;

	if (is_listed(members, pid))
		return;
	if (pool_members__find(&pool, pid, &reason)) {
		free(reason);
		return;
	}
	if (pool.count > 1)
		add(pools, &pool.list[0]);
	for (size_t i = 0; i < pool.count; i++)
		add(members, &pool.list[i]);
	pool_members__release(&pool);
}

struct pool_process *pool_below__find(pid_t pid, size_t *count)
{
	struct processes descendants = descendants_of(pid), pools = { 0 }, members = { 0 };

	for (size_t i = 0; i < descendants.count; i++)
		take_pool(&pools, &members, descendants.list[i].pid);
	free(descendants.list);
	free(members.list);
	*count = pools.count;
	return pools.list;
}

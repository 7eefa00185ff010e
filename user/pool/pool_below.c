// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_below.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/process_tree.h"
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

struct pool_process *pools__among(const int32_t *pids, size_t pid_count, size_t *count)
{
	struct processes pools = { 0 }, members = { 0 };

	for (size_t i = 0; i < pid_count; i++)
		take_pool(&pools, &members, pids[i]);
	free(members.list);
	*count = pools.count;
	return pools.list;
}

struct pool_process *pool_below__find(pid_t pid, size_t *count)
{
	size_t below;
	autofree int32_t *pids = process_tree__below(&(int32_t){ pid }, 1, &below);

	return pools__among(pids, below, count);
}

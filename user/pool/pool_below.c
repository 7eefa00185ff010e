// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_below.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/procfs.h"

/* All processes that come from one execve. */
struct candidate {
	struct identity *identity;
	struct pool_process first; /* the master, if it still lives; else the oldest */
	size_t count;
	size_t workers; /* of these */
	bool is_wanted; /* one of them was named */
};

struct candidates {
	struct candidate *list;
	size_t count;
	struct hash by_identity; /* numbers */
};

static bool is_before(const struct pool_process *left, const struct pool_process *right)
{
	if (left->forked != right->forked)
		return !left->forked;
	return left->started < right->started || (left->started == right->started && left->pid < right->pid);
}

static void add(struct candidates *all, const struct pool_process *process, struct identity *identity, bool is_wanted)
{
	const size_t number = hash__number(&all->by_identity, identity->bytes, identity->size);
	struct candidate *at;

	if (number == all->count) {
		all->list = checked_grow(all->list, all->count, sizeof(*all->list));
		all->list[all->count++] = (struct candidate){ .identity = identity, .first = *process };
	} else {
		free(identity);
	}
	at = &all->list[number];
	at->count++;
	at->workers += process->forked;
	at->is_wanted |= is_wanted;
	if (is_before(process, &at->first))
		at->first = *process;
}

static void take(struct candidates *all, int32_t pid, bool is_wanted)
{
	struct pool_process process;
	struct identity *identity;

	if (!pool_process__read(&process, pid) || process.kernel || process.state == 'Z')
		return;
	identity = checked_calloc(1, sizeof(*identity));
	if (identity__read(identity, pid) || !identity->size)
		free(identity);
	else
		add(all, &process, identity, is_wanted);
}

/* The pools with a member among these. Each process is read once: pools may be many, and all of them large. */
static struct pool_process *pools_among(const int32_t *pids, size_t pid_count, size_t *count)
{
	struct candidates all = { 0 };
	struct hash wanted = { 0 };
	struct pool_process *pools = NULL;
	size_t pid_all;
	autofree int32_t *every = procfs__pids(&pid_all);

	for (size_t i = 0; i < pid_count; i++)
		hash__get(&wanted, &pids[i], sizeof(pids[i]));
	for (size_t i = 0; i < pid_all; i++)
		take(&all, every[i], hash__find(&wanted, &every[i], sizeof(every[i])));
	*count = 0;
	for (size_t i = 0; i < all.count; i++) {
		if (all.list[i].is_wanted && all.list[i].count > 1) {
			pools = checked_grow(pools, *count, sizeof(*pools));
			pools[(*count)++] = all.list[i].first;
		}
		free(all.list[i].identity);
	}
	free(all.list);
	hash__release(&all.by_identity);
	hash__release(&wanted);
	return pools;
}

pid_t pools__largest(const int32_t *pids, size_t pid_count)
{
	struct candidates all = { 0 };
	size_t most = 1;
	pid_t member = 0;

	for (size_t i = 0; i < pid_count; i++)
		take(&all, pids[i], true);
	for (size_t i = 0; i < all.count; i++) {
		if (all.list[i].workers > most) {
			most = all.list[i].workers;
			member = all.list[i].first.pid;
		}
		free(all.list[i].identity);
	}
	free(all.list);
	hash__release(&all.by_identity);
	return member;
}

struct pool_process *pool_below__find(pid_t pid, size_t *count)
{
	size_t below;
	autofree int32_t *pids = process_tree__below(&(int32_t){ pid }, 1, &below);

	return pools_among(pids, below, count);
}

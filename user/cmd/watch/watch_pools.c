// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/watch_pools.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "pool/pool.h"
#include "pool/pool_below.h"
#include "pool/rollup.h"
#include "source/cgroups.h"

enum { PROCESSES_MOST = 2000, POOL_LEAST = 2 };
/* Anonymous memory of all members. To read more would hold samples up for seconds. */
static const uint64_t bytes_most = 8ull << 30;

struct processes {
	int32_t *pids;
	size_t count;
};

static void add_cgroup(struct processes *processes, const char *root, const char *path)
{
	autofree char *name = text__of("%s%s/cgroup.procs", root, path);
	FILE *file = fopen(name, "re");
	int pid;

	while (file && processes->count < PROCESSES_MOST && fscanf(file, "%d", &pid) == 1) {
		if (!pid) /* of another pid namespace */
			continue;
		processes->pids = checked_grow(processes->pids, processes->count, sizeof(*processes->pids));
		processes->pids[processes->count++] = pid;
	}
	if (file)
		fclose(file);
}

static uint64_t anonymous_bytes(const int32_t *pids, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rss rss = rss__of(pids[i]);

		sum += rss.anon == ABSENT ? 0 : rss.anon;
	}
	return sum;
}

/* False: it may not be read, is too large, or is none any more. */
static bool read_pool(struct watch_pool *pool, pid_t member)
{
	autofree char *reason = NULL;
	size_t count = 0;
	autofree int32_t *pids = pool__pids(member, &count, NULL, &reason);
	const struct pool_request request = { .pid = member };
	struct workers *workers = NULL;
	struct worker_pages sum;

	free(reason);
	reason = NULL;
	if (count > 1 && anonymous_bytes(pids, count) <= bytes_most)
		workers = pool__look_at(&request, &reason);
	if (!workers)
		return false;
	sum = workers__sum(workers);
	*pool = (struct watch_pool){
		.read_at = clock__ns(CLOCK_REALTIME) / 1e9,
		.workers = workers->worker_count,
		.shared_bytes = sum.shared * page_bytes,
		.unshared_bytes = worker_pages__unshared(&sum) * page_bytes,
		.identical_bytes = workers->mergeable_bytes,
		.new_bytes = sum.new * page_bytes,
	};
	workers__free(workers);
	return true;
}

static void read_unit(struct watching *watching, const char *root, const char *unit)
{
	char **paths = watching__cgroups(watching, unit);
	struct processes processes = { 0 };
	struct watch_pool pool = { 0 };
	pid_t member;

	for (size_t i = 0; paths[i]; i++)
		add_cgroup(&processes, root, paths[i]);
	member = pools__largest(processes.pids, processes.count);
	if (member)
		read_pool(&pool, member);
	watching__set_pool(watching, unit, &pool);
	free(processes.pids);
	text__free_list(paths);
}

static int compare_units(const void *left, const void *right)
{
	const struct watch_unit *const *a = left, *const *b = right;

	return (*a)->processes < (*b)->processes ? 1 : -((*a)->processes > (*b)->processes);
}

double watch_pools__read(struct watching *watching, const struct watch_sample *sample, double cpu_ns, size_t *next)
{
	autofree const struct watch_unit **units = checked_calloc(sample->unit_count + 1, sizeof(*units));
	autofree char *root = cgroups__root();
	const double begin = clock__ns(CLOCK_THREAD_CPUTIME_ID);
	double taken = 0;
	size_t i;

	for (i = 0; i < sample->unit_count; i++)
		units[i] = &sample->units[i];
	qsort(units, sample->unit_count, sizeof(*units), compare_units);
	for (i = *next; root && taken <= cpu_ns && i < sample->unit_count && units[i]->processes >= POOL_LEAST; i++) {
		read_unit(watching, root, units[i]->name);
		taken = clock__ns(CLOCK_THREAD_CPUTIME_ID) - begin;
	}
	*next = taken > cpu_ns ? i : 0;
	return taken;
}

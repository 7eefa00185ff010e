// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/watch_pools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "pool/pool.h"
#include "source/cgroups.h"

/* Reading a pool compares its pages: of larger ones a sample is read. */
enum { PROCESSES_MOST = 2000, SIBLINGS_LEAST = 2 };
static const uint64_t bytes_most = 256 << 20;

struct processes {
	struct pool_process *list;
	size_t count;
};

static void add_cgroup(struct processes *processes, const char *root, const char *path)
{
	autofree char *name = text__of("%s%s/cgroup.procs", root, path);
	FILE *file = fopen(name, "re");
	int pid;

	while (file && processes->count < PROCESSES_MOST && fscanf(file, "%d", &pid) == 1) {
		struct pool_process process;

		if (!pool_process__read(&process, pid))
			continue;
		processes->list = checked_grow(processes->list, processes->count, sizeof(process));
		processes->list[processes->count++] = process;
	}
	if (file)
		fclose(file);
}

static int compare_parents(const void *left, const void *right)
{
	const struct pool_process *a = left, *b = right;

	return a->parent < b->parent ? -1 : a->parent > b->parent;
}

/* A child of the parent with most children that have executed nothing since they were forked; 0: none. */
static pid_t worker_of_largest(struct processes *processes)
{
	size_t count = 0, most = SIBLINGS_LEAST - 1;
	pid_t worker = 0;

	for (size_t i = 0; i < processes->count; i++)
		if (processes->list[i].forked && processes->list[i].state != 'Z')
			processes->list[count++] = processes->list[i];
	qsort(processes->list, count, sizeof(*processes->list), compare_parents);
	for (size_t i = 0, run = 0; i < count; i++) {
		run = i && processes->list[i].parent == processes->list[i - 1].parent ? run + 1 : 1;
		if (run > most) {
			most = run;
			worker = processes->list[i].pid;
		}
	}
	return worker;
}

static uint64_t resident_bytes(const int32_t *pids, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		FILE *file = procfs__open(pids[i], "statm");
		uint64_t pages = 0;

		if (file && fscanf(file, "%*u %" SCNu64, &pages) == 1)
			sum += pages * PAGE_BYTES;
		if (file)
			fclose(file);
	}
	return sum;
}

/* False: it may not be read, or is none any more. */
static bool read_pool(struct watch_pool *pool, pid_t worker)
{
	autofree char *reason = NULL;
	size_t count = 0;
	autofree int32_t *pids = pool__pids(worker, &count, NULL, &reason);
	const struct pool_request request = {
		.pid = worker,
		.every = resident_bytes(pids, count) / bytes_most + 1,
	};
	struct workers *workers = NULL;
	struct worker_pages sum;

	free(reason);
	reason = NULL;
	if (count > 1)
		workers = pool__look_at(&request, &reason);
	if (!workers)
		return false;
	sum = workers__sum(workers);
	*pool = (struct watch_pool){
		.read_at = clock__ns(CLOCK_REALTIME) / 1e9,
		.workers = workers->worker_count,
		.shared_bytes = sum.shared * PAGE_BYTES,
		.unshared_bytes = worker_pages__unshared(&sum) * PAGE_BYTES,
		.identical_bytes = workers->mergeable_bytes,
		.new_bytes = sum.new * PAGE_BYTES,
	};
	workers__free(workers);
	return true;
}

static void read_unit(struct watching *watching, const char *root, const char *unit)
{
	char **paths = watching__cgroups(watching, unit);
	struct processes processes = { 0 };
	struct watch_pool pool = { 0 };
	pid_t worker;

	for (size_t i = 0; paths[i]; i++)
		add_cgroup(&processes, root, paths[i]);
	worker = worker_of_largest(&processes);
	if (worker)
		read_pool(&pool, worker);
	watching__set_pool(watching, unit, &pool);
	free(processes.list);
	text__free_list(paths);
}

static int compare_units(const void *left, const void *right)
{
	const struct watch_unit *const *a = left, *const *b = right;

	return (*a)->processes < (*b)->processes ? 1 : -((*a)->processes > (*b)->processes);
}

void watch_pools__read(struct watching *watching, const struct watch_sample *sample, double cpu_ns)
{
	autofree const struct watch_unit **units = checked_calloc(sample->unit_count + 1, sizeof(*units));
	autofree char *root = cgroups__root();
	const double begin = clock__ns(CLOCK_THREAD_CPUTIME_ID);

	for (size_t i = 0; i < sample->unit_count; i++)
		units[i] = &sample->units[i];
	qsort(units, sample->unit_count, sizeof(*units), compare_units);
	for (size_t i = 0; root && i < sample->unit_count; i++) {
		if (units[i]->processes < SIBLINGS_LEAST || clock__ns(CLOCK_THREAD_CPUTIME_ID) - begin > cpu_ns)
			break;
		read_unit(watching, root, units[i]->name);
	}
}

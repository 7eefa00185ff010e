// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workers_list.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "pool/pool.h"
#include "pool/pool_below.h"
#include "report/workers/pools_report.h"
#include "report/workers/workers_report.h"
#include "source/cgroup_pids.h"

/* NULL after a complaint. */
static int32_t *find_pids(const struct attach_options *of, size_t *count)
{
	struct cgroups cgroups;
	autofree char *message = NULL;
	int32_t *pids = NULL;

	if (of->whole_machine)
		return checked(procfs__pids(count));
	if (cgroups__find(&cgroups, of->cgroups, of->cgroup_count, &message))
		print_error("workers", 0, "%s", message);
	else if (cgroups.unmatched)
		print_error("workers", 0, "--cgroup %s: no such cgroup below %s", cgroups.unmatched, cgroups.root);
	else
		pids = cgroup_pids__read(&cgroups, count);
	cgroups__free(&cgroups);
	return pids;
}

static int by_waste(const void *left, const void *right)
{
	const struct workers *a = *(struct workers *const *)left, *b = *(struct workers *const *)right;

	const struct workers_copies of_a = workers_copies__of(a), of_b = workers_copies__of(b);

	if (of_a.mergeable != of_b.mergeable)
		return of_a.mergeable < of_b.mergeable ? 1 : -1;
	if (of_a.bytes != of_b.bytes)
		return of_a.bytes < of_b.bytes ? 1 : -1;
	return workers__member_pid(a, 0) > workers__member_pid(b, 0) ? 1 : -1;
}

/* Those that end, or may not be read, are left out; the first of the latter says why. */
static struct pools look_at(const struct pool_process *found, size_t count, uint64_t sample)
{
	struct pools pools = { .list = checked_calloc(count, sizeof(struct workers *)) };

	for (size_t i = 0; i < count; i++) {
		const struct pool_request request = { .pid = found[i].pid, .every = sample };
		char *reason = NULL;
		struct workers *workers = pool__look_at(&request, &reason);

		if (workers)
			pools.list[pools.count++] = workers;
		else if (!pools.left_out++)
			pools.reason = reason;
		if (reason != pools.reason)
			free(reason);
	}
	qsort(pools.list, pools.count, sizeof(*pools.list), by_waste);
	return pools;
}

static void release(struct pools *pools)
{
	for (size_t i = 0; i < pools->count; i++)
		workers__free(pools->list[i]);
	free(pools->list);
	free(pools->reason);
}

int workers_list__run(const struct attach_options *of, uint64_t sample, const struct report_options *display)
{
	size_t pid_count = 0, count;
	autofree int32_t *pids = find_pids(of, &pid_count);
	autofree struct pool_process *found = NULL;
	struct pools pools;
	int status;

	if (!pids)
		return EXIT_FORKTAX;
	found = pools__among(pids, pid_count, &count);
	pools = look_at(found, count, sample);
	if (pools.count)
		status = print_unsaved("workers", display, pools_report__print, &pools);
	else
		status = print_error("workers", EXIT_FORKTAX, "%s", pools.reason ? pools.reason :
				     "no pool was found: no process there shares memory with one that it has forked");
	release(&pools);
	return status;
}

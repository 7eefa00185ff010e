// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_members.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/capability.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "pool/pool_process.h"

/* Processes that are no members, in case their parents are. */
struct excluded {
	struct pool_process *list;
	bool *denied;
	size_t count;
};

static struct pool_process *add(struct pool_process **list, size_t *count)
{
	*list = checked_grow(*list, *count, sizeof(**list));
	return &(*list)[(*count)++];
}

static void take(struct pool_members *members, struct excluded *excluded, const struct identity *wanted, pid_t pid)
{
	struct pool_process process;
	struct identity identity;
	int error;

	if (!pool_process__read(&process, pid) || process.kernel || process.state == 'Z')
		return;
	error = identity__read(&identity, pid);
	if (!error && identity__is_same(&identity, wanted)) {
		*add(&members->list, &members->count) = process;
	} else if (error != -ESRCH) {
		excluded->denied = checked_grow(excluded->denied, excluded->count, sizeof(bool));
		excluded->denied[excluded->count] = error;
		*add(&excluded->list, &excluded->count) = process;
	}
}

/* Also finds those whose parents have ended: their parent is somebody else by now. */
static void take_all(struct pool_members *members, struct excluded *excluded, const struct identity *wanted)
{
	size_t count;
	int32_t *pids = procfs__pids(&count);

	for (size_t i = 0; i < count; i++)
		take(members, excluded, wanted, pids[i]);
	free(pids);
}

bool pool_members__has(const struct pool_members *members, pid_t pid)
{
	for (size_t i = 0; i < members->count; i++)
		if (members->list[i].pid == pid)
			return true;
	return false;
}

static int by_age(const void *left, const void *right)
{
	const struct pool_process *a = left, *b = right;

	if (a->started != b->started)
		return a->started < b->started ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/*
 * All come from the one that has executed the program. If that one is gone, they still have an ancestor
 * in common if of one member alone the parent is none: the daemon that its starter has left behind.
 * Stores its index; false: there is none.
 */
static bool find_master(const struct pool_members *members, size_t *master)
{
	size_t orphans = 0;

	for (size_t i = 0; i < members->count; i++) {
		const struct pool_process *process = &members->list[i];

		if (!process->forked) {
			*master = i;
			return true;
		}
		if (pool_members__has(members, process->parent))
			continue;
		*master = i;
		orphans++;
	}
	return orphans == 1;
}

static void put_master_first(struct pool_members *members)
{
	size_t master;
	struct pool_process process;

	qsort(members->list, members->count, sizeof(*members->list), by_age);
	members->has_master = find_master(members, &master);
	if (!members->has_master)
		return;
	process = members->list[master];
	memmove(&members->list[1], &members->list[0], master * sizeof(process));
	members->list[0] = process;
}

static void count_children(struct pool_members *members, const struct excluded *excluded)
{
	for (size_t i = 0; i < excluded->count; i++) {
		if (!pool_members__has(members, excluded->list[i].parent))
			continue;
		members->unreadable += excluded->denied[i];
		members->executed += !excluded->denied[i];
	}
}

/* What would allow it: root of a container has not all that root has. */
static const char *remedy(void)
{
	uint64_t effective;

	if (geteuid())
		return "run forktax as root";
	if (!capability__effective(&effective) || !(effective >> CAP_SYS_PTRACE & 1))
		return "needs CAP_SYS_PTRACE, which root lacks here";
	if (!((effective >> CAP_DAC_READ_SEARCH | effective >> CAP_DAC_OVERRIDE) & 1))
		return "needs CAP_DAC_READ_SEARCH, which root lacks here";
	return "a security module forbids it";
}

/* Why the memory of this process may not be looked at. */
static int denied(const struct pool_process *process, int error, char **reason)
{
	char path[32];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%d", (int)process->pid);
	if (error != EACCES && error != EPERM)
		return error__set(reason, "process %d (%s) cannot be read: %s",
				  (int)process->pid, process->name, strerror(error));
	if (!stat(path, &status) && status.st_uid != geteuid() && status.st_uid)
		return error__set(reason, "process %d (%s) is another user's (uid %u): %s",
				  (int)process->pid, process->name, status.st_uid, remedy());
	return error__set(reason, "process %d (%s) may not be read: it is root's, or has other "
				   "rights than its user (not dumpable): %s",
			   (int)process->pid, process->name, remedy());
}

static int identify(struct identity *identity, pid_t pid, char **reason)
{
	struct pool_process process;
	int error;

	if (!procfs__is_there())
		return error__set(reason, "/proc is not mounted: without it no process can be read");
	if (!pool_process__read(&process, pid))
		return error__set(reason, "there is no process %d", (int)pid);
	if (process.kernel)
		return error__set(reason, "process %d (%s) is a thread of the kernel: it has no "
					   "memory of its own", (int)pid, process.name);
	if (process.state == 'Z')
		return error__set(reason, "process %d (%s) has ended; its parent has not asked for "
					   "its status yet", (int)pid, process.name);
	error = identity__read(identity, pid);
	if (error == -ESRCH)
		return error__set(reason, "process %d (%s) has ended", (int)pid, process.name);
	return error ? denied(&process, -error, reason) : 0;
}

int pool_members__find(struct pool_members *members, pid_t pid, char **reason)
{
	struct excluded excluded = { 0 };
	struct identity identity;
	pid_t leader = pool_process__of_thread(pid);

	*members = (struct pool_members){ 0 };
	if (identify(&identity, leader ? leader : pid, reason))
		return -1;
	take_all(members, &excluded, &identity);
	if (members->count) {
		put_master_first(members);
		count_children(members, &excluded);
	}
	free(excluded.list);
	free(excluded.denied);
	return members->count ? 0 : error__set(reason, "process %d has ended", (int)pid);
}

void pool_members__release(struct pool_members *members)
{
	free(members->list);
	*members = (struct pool_members){ 0 };
}

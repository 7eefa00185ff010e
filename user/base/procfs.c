// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"

struct pids {
	int32_t *list;
	size_t count;
};

/* 0: it is gone. */
static int32_t parent_of(int32_t pid)
{
	char text[512], *fields = procfs__stat(pid, text, sizeof(text));
	int parent;

	return fields && sscanf(fields, " %*c %d", &parent) == 1 ? parent : 0;
}

static void add_pid(struct pids *pids, int32_t pid)
{
	pids->list = checked_grow(pids->list, pids->count, sizeof(*pids->list));
	pids->list[pids->count++] = pid;
}

/* Takes the children of `parent` out of `all`, where they are 0 then: so nobody is found twice. */
static void take_children(struct pids *found, int32_t parent, int32_t *all, const int32_t *parents, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!all[i] || parents[i] != parent)
			continue;
		add_pid(found, all[i]);
		all[i] = 0;
	}
}

static void leave_out(int32_t *all, size_t count, int32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (all[i] == pid)
			all[i] = 0;
}

/* The loop goes on with those that it adds. */
int32_t *process_tree__below(const int32_t *pids, size_t pid_count, size_t *count)
{
	struct pids found = { 0 };
	size_t all_count;
	autofree int32_t *all = procfs__pids(&all_count);
	autofree int32_t *parents = checked_calloc(all_count, sizeof(*parents));

	for (size_t i = 0; i < all_count; i++)
		parents[i] = parent_of(all[i]);
	for (size_t i = 0; i < pid_count; i++)
		leave_out(all, all_count, pids[i]);
	for (size_t i = 0; i < pid_count; i++)
		take_children(&found, pids[i], all, parents, all_count);
	for (size_t done = 0; done < found.count; done++)
		take_children(&found, found.list[done], all, parents, all_count);
	*count = found.count;
	return found.list;
}

/* "/proc/", a pid, "/task/", another, a slash, a name of at most two directories, NUL. */
enum { LONGEST = 6 + 11 + 6 + 11 + 1 + 2 * NAME_MAX + 2 };
enum { EXITING = 0x4 }; /* PF_EXITING of sched.h */

/* From field 3 of a stat file on (proc(5)). */
static bool has_ended(const char *rest)
{
	unsigned int flags;
	char state;

	return sscanf(rest, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2 || state == 'Z' ||
	       state == 'X' || flags & EXITING;
}

pid_t procfs__thread(pid_t pid)
{
	char path[LONGEST], text[1024], *rest = procfs__stat(pid, text, sizeof(text));
	const struct dirent *entry;
	pid_t found = pid;
	uint64_t tid;
	DIR *threads;

	if (!rest || !has_ended(rest))
		return pid;
	snprintf(path, LONGEST, "/proc/%d/task", (int)pid);
	threads = opendir(path);
	while (threads && found == pid && (entry = readdir(threads))) {
		if (!number__whole(entry->d_name, 1, INT32_MAX, &tid) || (pid_t)tid == pid)
			continue;
		rest = procfs__stat(tid, text, sizeof(text));
		if (rest && !has_ended(rest))
			found = tid;
	}
	if (threads)
		closedir(threads);
	return found;
}

static void path_of(char path[LONGEST], pid_t pid, const char *name)
{
	pid_t thread = strcmp(name, "stat") ? procfs__thread(pid) : pid;

	if (thread == pid)
		snprintf(path, LONGEST, "/proc/%d/%s", (int)pid, name);
	else
		snprintf(path, LONGEST, "/proc/%d/task/%d/%s", (int)pid, (int)thread, name);
}

bool procfs__is_there(void)
{
	return !access("/proc/self/stat", F_OK);
}

int32_t *procfs__pids(size_t *count)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int32_t *pids = NULL;
	uint64_t pid;

	*count = 0;
	while (proc && (entry = readdir(proc))) {
		if (!number__whole(entry->d_name, 1, INT32_MAX, &pid))
			continue;
		pids = checked_grow(pids, *count, sizeof(*pids));
		pids[(*count)++] = pid;
	}
	if (proc)
		closedir(proc);
	return pids;
}

int procfs__open_fd(pid_t pid, const char *name, int flags)
{
	char path[LONGEST];

	path_of(path, pid, name);
	return open(path, flags | O_CLOEXEC);
}

FILE *procfs__open(pid_t pid, const char *name)
{
	char path[LONGEST];

	path_of(path, pid, name);
	return fopen(path, "re");
}

char *procfs__stat(pid_t pid, char *text, size_t size)
{
	int fd = procfs__open_fd(pid, "stat", O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
	char *end;

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	end = strrchr(text, ')');
	return end ? end + 1 : NULL;
}

double procfs__cpu_ns(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return time.tv_sec * 1e9 + time.tv_nsec;
}

bool procfs__bytes(const char *line, const char *key, uint64_t *bytes)
{
	const size_t length = strlen(key);
	uint64_t kib;

	if (strncmp(line, key, length) || sscanf(line + length, "%" SCNu64, &kib) != 1)
		return false;
	*bytes = kib * 1024;
	return true;
}

char *procfs__link(pid_t pid, const char *name)
{
	char path[LONGEST], target[PATH_MAX];
	ssize_t length;

	path_of(path, pid, name);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return NULL;
	target[length] = '\0';
	return checked_strdup(target);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/sleep_mark.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"

/* To ask more threads takes longer than to read a window twice. */
enum { THREADS_MOST = 32 };

/* The text behind a key of /proc/PID/task/TID/status; NULL: it has none. */
static const char *find(const char *status, const char *key)
{
	const char *found = strstr(status, key);

	return found ? found + strlen(key) : NULL;
}

/*
 * Not one that waits for the kernel ("D"): that may write for it, and a process forked by vfork has the same
 * memory while its parent waits.
 */
static bool take_thread(struct sleep_mark *mark, int directory, const char *tid)
{
	char name[32], text[4096];
	const char *state, *left, *preempted;
	int fd;
	ssize_t length;

	snprintf(name, sizeof(name), "%s/status", tid);
	fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	state = find(text, "\nState:\t");
	left = find(text, "\nvoluntary_ctxt_switches:\t");
	preempted = find(text, "\nnonvoluntary_ctxt_switches:\t");
	if (!state || !left || !preempted || !strchr("STtZ", *state))
		return false;
	mark->switches = (mark->switches + strtoull(tid, NULL, 10)) * 0x9e3779b97f4a7c15;
	mark->switches = (mark->switches + strtoull(left, NULL, 10)) * 0x9e3779b97f4a7c15;
	mark->switches = (mark->switches + strtoull(preempted, NULL, 10)) * 0x9e3779b97f4a7c15;
	return true;
}

struct sleep_mark sleep_mark__of(pid_t pid)
{
	struct sleep_mark mark = { 0 };
	char path[32];
	const struct dirent *entry;
	unsigned int threads = 0;
	uint64_t tid;
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	mark.asleep = directory;
	while (mark.asleep && (entry = readdir(directory)))
		if (number__whole(entry->d_name, 1, INT32_MAX, &tid))
			mark.asleep = threads++ < THREADS_MOST && take_thread(&mark, dirfd(directory), entry->d_name);
	if (directory)
		closedir(directory);
	mark.asleep &= threads > 0;
	return mark;
}

bool sleep_mark__holds(const struct sleep_mark *mark, pid_t pid)
{
	struct sleep_mark now;

	if (!mark->asleep)
		return false;
	now = sleep_mark__of(pid);
	return now.asleep && now.switches == mark->switches;
}

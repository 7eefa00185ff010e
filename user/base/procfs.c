// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/procfs.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/memory.h"

/* "/proc/", a pid, a slash, a name of at most two directories, NUL. */
enum { LONGEST = 6 + 11 + 1 + 2 * NAME_MAX + 2 };

static void path_of(char path[LONGEST], pid_t pid, const char *name)
{
	snprintf(path, LONGEST, "/proc/%d/%s", (int)pid, name);
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

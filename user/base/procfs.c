// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/procfs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* "/proc/", a pid, a slash, a name of at most two directories, NUL. */
enum { LONGEST = 6 + 11 + 1 + 2 * NAME_MAX + 2 };

static void path_of(char path[LONGEST], pid_t pid, const char *name)
{
	snprintf(path, LONGEST, "/proc/%d/%s", (int)pid, name);
}

bool procfs__is_there(void)
{
	return !access("/proc/self/stat", F_OK);
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

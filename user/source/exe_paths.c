// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/exe_paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct path {
	char *name;
	uint64_t ino;
};

struct exe_paths {
	struct path *paths;
	uint32_t count;
};

struct exe_paths *exe_paths__new(void)
{
	return calloc(1, sizeof(struct exe_paths));
}

void exe_paths__free(struct exe_paths *paths)
{
	if (!paths)
		return;
	for (uint32_t i = 0; i < paths->count; i++)
		free(paths->paths[i].name);
	free(paths->paths);
	free(paths);
}

static struct path *slot(struct exe_paths *paths, uint32_t index)
{
	if (index >= paths->count) {
		uint32_t count = 2 * index + 8;
		struct path *more = realloc(paths->paths, count * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + paths->count, 0, (count - paths->count) * sizeof(*more));
		paths->paths = more;
		paths->count = count;
	}
	return &paths->paths[index];
}

void exe_paths__look_up(struct exe_paths *paths, uint32_t index, int32_t pid)
{
	static const char deleted[] = " (deleted)";
	char link[32], target[PATH_MAX];
	struct stat status;
	struct path *path;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, target, sizeof(target) - 1);
	if (!paths || length <= 0 || stat(link, &status))
		return;
	target[length] = '\0';
	if (length > (ssize_t)sizeof(deleted) - 1 &&
	    !strcmp(target + length - sizeof(deleted) + 1, deleted))
		target[length - sizeof(deleted) + 1] = '\0';
	path = slot(paths, index);
	if (!path || path->name)
		return;
	path->name = strdup(target);
	path->ino = status.st_ino;
}

const char *exe_paths__get(const struct exe_paths *paths, uint32_t index, uint64_t ino)
{
	if (!paths || index >= paths->count || paths->paths[index].ino != ino)
		return NULL;
	return paths->paths[index].name;
}

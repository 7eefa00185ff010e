// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroup_paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/cgroup_directory.h"
#include "source/cgroups.h"

static void add(struct cgroup_paths *paths, uint64_t id, char *path)
{
	paths->list = checked_grow(paths->list, paths->count, sizeof(*paths->list));
	paths->list[paths->count++] = (struct cgroup_path){ id, path };
}

struct reading {
	struct cgroup_paths *paths;
	const char *path; /* of the directory */
};

static void take(void *context, const char *name, uint64_t id)
{
	const struct reading *reading = context;

	add(reading->paths, id, text__of("%s%s%s", reading->path, reading->path[1] ? "/" : "", name));
}

static void read_directory(struct cgroup_paths *paths, const char *root, const char *path)
{
	autofree char *whole = text__of("%s%s", root, path);
	struct reading reading = { paths, path };

	cgroup_directory__each(whole, take, &reading);
}

static int compare_ids(const void *left, const void *right)
{
	uint64_t a = ((const struct cgroup_path *)left)->id, b = ((const struct cgroup_path *)right)->id;

	return a < b ? -1 : a > b;
}

struct cgroup_paths cgroup_paths__read(void)
{
	autofree char *root = cgroups__root();
	struct cgroup_paths paths = { 0 };
	struct stat status;

	if (!root || stat(root, &status))
		return paths;
	add(&paths, status.st_ino, checked_strdup("/"));
	for (size_t i = 0; i < paths.count; i++)
		read_directory(&paths, root, paths.list[i].path);
	qsort(paths.list, paths.count, sizeof(*paths.list), compare_ids);
	return paths;
}

static bool stands_before(const void *list, size_t index, const void *id)
{
	return ((const struct cgroup_path *)list)[index].id < *(const uint64_t *)id;
}

const char *cgroup_paths__find(const struct cgroup_paths *paths, uint64_t id)
{
	size_t at = bisect(paths->list, paths->count, stands_before, &id);

	return at < paths->count && paths->list[at].id == id ? paths->list[at].path : NULL;
}

bool cgroup_paths__add(struct cgroup_paths *paths, uint64_t id, const char *path)
{
	autofree char *root = cgroups__root();
	autofree char *whole = text__of("%s%s", root ? root : "", path);
	size_t at = bisect(paths->list, paths->count, stands_before, &id);
	struct stat status;

	if (!root || stat(whole, &status) || status.st_ino != id)
		return false;
	add(paths, id, NULL);
	memmove(&paths->list[at + 1], &paths->list[at], (paths->count - 1 - at) * sizeof(*paths->list));
	paths->list[at] = (struct cgroup_path){ id, checked_strdup(path) };
	return true;
}

void cgroup_paths__release(struct cgroup_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->list[i].path);
	free(paths->list);
	*paths = (struct cgroup_paths){ 0 };
}

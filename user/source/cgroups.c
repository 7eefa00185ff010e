// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroups.h"

#include <errno.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

/* Where a hierarchy is mounted, to be freed; NULL: nowhere. */
static char *find_mount(const char *type)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char *root = NULL;
	struct mntent *mount;

	while (mounts && !root && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, type))
			root = checked_strdup(mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return root;
}

char *cgroups__root(void)
{
	return find_mount("cgroup2");
}

static int set_no_root(char **message)
{
	autofree char *old = find_mount("cgroup");

	if (old)
		return error__set(message,
				  "--cgroup needs cgroups of version 2; here only those of version 1 are mounted. "
				  "Mount the others, too (mount -t cgroup2 none DIRECTORY), or use -p or -a");
	return error__set(message, "--cgroup: no cgroup file system of version 2 is mounted (mount -t "
				   "cgroup2 none /sys/fs/cgroup)");
}

static bool is_below(const char *path, const char *root)
{
	size_t length = strlen(root);

	return !strncmp(path, root, length) && (!path[length] || path[length] == '/');
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

/* The part of a path, or a pattern, below the root. */
static const char *below_root(const struct cgroups *cgroups, const char *pattern)
{
	return is_below(pattern, cgroups->root) ? pattern + strlen(cgroups->root) : pattern;
}

static void keep_path(struct cgroups *cgroups, const char *path)
{
	struct texts *paths = &cgroups->paths;

	if (paths->numbers.count < CGROUP_PATHS_MOST || hash__find(&paths->numbers, path, strlen(path)))
		texts__number(paths, path);
	else
		cgroups->unnamed++;
}

/* False: it is in the list. Takes the path. */
static bool watch(struct cgroups *cgroups, uint64_t id, char *path)
{
	if (hash__number(&cgroups->watched, &id, sizeof(id)) < cgroups->count) {
		free(path);
		return false;
	}
	cgroups->list = checked_grow(cgroups->list, cgroups->count, sizeof(*cgroups->list));
	cgroups->list[cgroups->count++] = (struct cgroup){ .path = path, .id = id };
	keep_path(cgroups, path);
	return true;
}

/* The same for a directory whose subdirectories are matched. */
static bool place(struct cgroups *cgroups, uint64_t id, size_t glob, char *path)
{
	const uint64_t key[] = { id, glob };

	if (hash__number(&cgroups->placed, key, sizeof(key)) < cgroups->place_count) {
		free(path);
		return false;
	}
	cgroups->places = checked_grow(cgroups->places, cgroups->place_count, sizeof(*cgroups->places));
	cgroups->places[cgroups->place_count++] = (struct cgroup_place){ { .path = path, .id = id }, glob };
	return true;
}

static void take(struct cgroups *cgroups, const char *parent, uint64_t id, size_t glob, const char *name)
{
	char *path = text__of("%s/%s", parent, name);

	cgroups->globs.list[glob].was_matched = 1;
	if (cgroups->globs.list[glob].is_last)
		watch(cgroups, id, path);
	else
		place(cgroups, id, glob + 1, path);
}

static bool is_cgroup(const struct dirent *entry)
{
	return entry->d_type == DT_DIR && strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

const struct dirent *cgroups__next(DIR *directory)
{
	const struct dirent *entry = directory ? readdir(directory) : NULL;

	while (entry && !is_cgroup(entry))
		entry = readdir(directory);
	return entry;
}

static void search(struct cgroups *cgroups, size_t index, struct hash *seen)
{
	const size_t glob = cgroups->places[index].glob;
	/* A copy: the list may move. */
	autofree char *path = checked_strdup(cgroups->places[index].directory.path);
	autofree char *whole = text__of("%s%s", cgroups->root, path);
	DIR *directory = opendir(whole);
	const struct dirent *entry;

	while ((entry = cgroups__next(directory))) {
		const uint64_t id = entry->d_ino;

		if (seen)
			hash__get(seen, &id, sizeof(id));
		if (cgroup_glob__matches(&cgroups->globs.list[glob], entry->d_name))
			take(cgroups, path, id, glob, entry->d_name);
	}
	if (directory)
		closedir(directory);
}

/* Places from this one on. Those that are found are searched in their turn. */
static void search_from(struct cgroups *cgroups, size_t first, struct hash *seen)
{
	for (size_t i = first; i < cgroups->place_count; i++)
		search(cgroups, i, seen);
}

void cgroups__find_more(struct cgroups *cgroups, struct hash *seen)
{
	struct stat root;

	if (seen && !stat(cgroups->root, &root))
		hash__get(seen, &(uint64_t){ root.st_ino }, sizeof(uint64_t));
	search_from(cgroups, 0, seen);
}

bool cgroups__exists(const struct cgroups *cgroups, const struct cgroup *cgroup)
{
	autofree char *whole = text__of("%s%s", cgroups->root, cgroup->path);
	struct stat status;

	return !stat(whole, &status) && status.st_ino == cgroup->id;
}

static bool is_gone(const struct cgroup *cgroup, const struct hash *seen)
{
	return !hash__find(seen, &cgroup->id, sizeof(cgroup->id));
}

static void forget_watched(struct cgroups *cgroups, size_t count, const struct hash *seen)
{
	const size_t before = cgroups->count;

	cgroups->count = 0;
	hash__release(&cgroups->watched);
	for (size_t i = 0; i < before; i++) {
		const struct cgroup cgroup = cgroups->list[i];

		if (i < count && is_gone(&cgroup, seen)) {
			free(cgroup.path);
			continue;
		}
		hash__number(&cgroups->watched, &cgroup.id, sizeof(cgroup.id));
		cgroups->list[cgroups->count++] = cgroup;
	}
}

static void forget_places(struct cgroups *cgroups, size_t count, const struct hash *seen)
{
	const size_t before = cgroups->place_count;

	cgroups->place_count = 0;
	hash__release(&cgroups->placed);
	for (size_t i = 0; i < before; i++) {
		const struct cgroup_place place = cgroups->places[i];
		const uint64_t key[] = { place.directory.id, place.glob };

		if (i < count && is_gone(&place.directory, seen)) {
			free(place.directory.path);
			continue;
		}
		hash__number(&cgroups->placed, key, sizeof(key));
		cgroups->places[cgroups->place_count++] = place;
	}
}

void cgroups__forget(struct cgroups *cgroups, size_t count, size_t place_count, const struct hash *seen)
{
	forget_watched(cgroups, count, seen);
	forget_places(cgroups, place_count, seen);
}

void cgroups__add(struct cgroups *cgroups, uint64_t parent, uint64_t id, size_t glob, const char *name)
{
	const uint64_t key[] = { parent, glob };
	const union hash_value *found = hash__find(&cgroups->placed, key, sizeof(key));

	if (found && glob < cgroups->globs.count)
		take(cgroups, cgroups->places[found->number].directory.path, id, glob, name);
}

/* Of a path without a pattern. */
static bool exists(const struct cgroups *cgroups, const char *pattern)
{
	autofree char *whole = text__of("%s/%s", cgroups->root, below_root(cgroups, pattern));
	struct stat status;
	struct statfs system;

	return !stat(whole, &status) && S_ISDIR(status.st_mode) && !statfs(whole, &system) &&
	       system.f_type == CGROUP2_SUPER_MAGIC;
}

static int add_pattern(struct cgroups *cgroups, uint64_t root, const char *pattern, char **message)
{
	const char *below = below_root(cgroups, pattern);
	const size_t glob = cgroups->globs.count, first = cgroups->place_count;

	if (!is_pattern(below) && !exists(cgroups, below))
		return error__set(message, "--cgroup %s: no such cgroup below %s", pattern, cgroups->root);
	if (!cgroup_globs__add(&cgroups->globs, below))
		return error__set(message, "--cgroup %s: a name in it is longer than names of cgroups can be", pattern);
	if (cgroups->globs.count == glob) {
		watch(cgroups, root, checked_strdup("/"));
		return 0;
	}
	place(cgroups, root, glob, checked_strdup(""));
	search_from(cgroups, first, NULL);
	if (!cgroups->globs.list[cgroups->globs.count - 1].was_matched && !cgroups->unmatched)
		cgroups->unmatched = pattern;
	return 0;
}

int cgroups__find(struct cgroups *cgroups, char *const *patterns, size_t count, char **message)
{
	struct stat root;

	*cgroups = (struct cgroups){ 0 };
	if (!count)
		return 0;
	cgroups->root = cgroups__root();
	if (!cgroups->root)
		return set_no_root(message);
	if (stat(cgroups->root, &root))
		return error__set(message, "--cgroup: cannot read %s: %s", cgroups->root, strerror(errno));
	for (size_t i = 0; i < count; i++)
		if (add_pattern(cgroups, root.st_ino, patterns[i], message))
			return -1;
	return 0;
}

void cgroups__free(struct cgroups *cgroups)
{
	for (size_t i = 0; i < cgroups->count; i++)
		free(cgroups->list[i].path);
	free(cgroups->list);
	for (size_t i = 0; i < cgroups->place_count; i++)
		free(cgroups->places[i].directory.path);
	free(cgroups->places);
	free(cgroups->globs.list);
	free(cgroups->root);
	texts__release(&cgroups->paths);
	hash__release(&cgroups->watched);
	hash__release(&cgroups->placed);
}

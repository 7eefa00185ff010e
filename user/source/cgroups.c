// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroups.h"

#include <errno.h>
#include <glob.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

char *cgroups__root(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char *root = NULL;
	struct mntent *mount;

	while (mounts && !root && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			root = checked_strdup(mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return root;
}

static bool is_below(const char *path, const char *root)
{
	size_t length = strlen(root);

	return !strncmp(path, root, length) && (!path[length] || path[length] == '/');
}

static void strip_slashes(char *path)
{
	for (size_t length = strlen(path); length && path[length - 1] == '/';)
		path[--length] = '\0';
}

/* False: it is no cgroup. */
static bool add(struct cgroups *cgroups, const char *root, const char *directory)
{
	const char *path = directory + strlen(root);
	struct stat status;
	struct statfs system;

	if (stat(directory, &status) || !S_ISDIR(status.st_mode) || statfs(directory, &system) ||
	    system.f_type != CGROUP2_SUPER_MAGIC)
		return false;
	cgroups->list = checked_grow(cgroups->list, cgroups->count, sizeof(*cgroups->list));
	cgroups->list[cgroups->count++] = (struct cgroup){
		.path = checked_strdup(*path ? path : "/"),
		.id = status.st_ino,
	};
	return true;
}

static int find(struct cgroups *cgroups, const char *root, const char *pattern, char **message)
{
	autofree char *whole = is_below(pattern, root)
				       ? checked_strdup(pattern)
				       : text__of("%s/%s", root, pattern + strspn(pattern, "/"));
	size_t before = cgroups->count;
	glob_t found;

	strip_slashes(whole);
	if (!glob(whole, GLOB_BRACE, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			add(cgroups, root, found.gl_pathv[i]);
		globfree(&found);
	}
	if (cgroups->count > before)
		return 0;
	return error__set(message, "--cgroup %s: no such cgroup below %s", pattern, root);
}

int cgroups__find(struct cgroups *cgroups, char *const *patterns, size_t count, char **message)
{
	autofree char *root = cgroups__root();

	*cgroups = (struct cgroups){ 0 };
	if (count && !root)
		return error__set(message, "--cgroup: no cgroup file system of version 2 is mounted (mount -t "
					   "cgroup2 none /sys/fs/cgroup)");
	for (size_t i = 0; i < count; i++)
		if (find(cgroups, root, patterns[i], message))
			return -1;
	return 0;
}

void cgroups__free(struct cgroups *cgroups)
{
	for (size_t i = 0; i < cgroups->count; i++)
		free(cgroups->list[i].path);
	free(cgroups->list);
}

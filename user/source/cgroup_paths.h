/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cgroups that there are, by the ids of their directories.
 */
#ifndef FORKTAX_SOURCE_CGROUP_PATHS_H
#define FORKTAX_SOURCE_CGROUP_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroup_path {
	uint64_t id;
	char *path; /* below the root, beginning with a slash; owned */
};

struct cgroup_paths {
	struct cgroup_path *list; /* by id */
	size_t count;
};

/* Walks through all of them. None, if no hierarchy of version 2 is mounted. To be released. */
struct cgroup_paths cgroup_paths__read(void);
/* NULL: there is no such cgroup. */
const char *cgroup_paths__find(const struct cgroup_paths *paths, uint64_t id);
/* Adds a new one, if there is a cgroup of this id at this path: without another walk. */
bool cgroup_paths__add(struct cgroup_paths *paths, uint64_t id, const char *path);
void cgroup_paths__release(struct cgroup_paths *paths);

#endif

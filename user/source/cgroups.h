/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cgroups of version 2 by their paths (cgroups(7)): "/system.slice/ssh.service", below the root that this process
 * sees, or the directory itself; both may be a pattern of glob(7). The kernel half follows the patterns, too: for
 * that it needs the directories in which a new cgroup may match.
 */
#ifndef FORKTAX_SOURCE_CGROUPS_H
#define FORKTAX_SOURCE_CGROUPS_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "source/cgroup_globs.h"

struct cgroup {
	char *path; /* below the root */
	uint64_t id; /* of its directory: what the kernel knows it by (bpf_get_current_cgroup_id(), bpf-helpers(7)) */
};

/* A directory whose subdirectories are matched with a pattern. */
struct cgroup_place {
	struct cgroup directory;
	size_t glob; /* in `globs` */
};

enum { CGROUP_PATHS_MOST = 256 }; /* that are kept of those that were watched ever */

struct cgroups {
	struct cgroup *list; /* to be watched */
	size_t count;
	struct texts paths; /* of those that were watched first, each once, though several may have had it in turn */
	uint64_t unnamed; /* further ones that were watched */
	struct cgroup_place *places;
	size_t place_count;
	struct cgroup_globs globs;
	const char *unmatched; /* the first pattern that matches nothing yet; NULL: there is none */
	char *root; /* where the hierarchy is mounted */
	/* By id, or by id and glob: */
	struct hash watched, placed;
};

/*
 * Finds all cgroups that match. Returns 0, or -1 and a message (to be freed): a path without a pattern has to exist.
 * To be freed by cgroups__free() in any case.
 */
int cgroups__find(struct cgroups *cgroups, char *const *patterns, size_t count, char **message);
/* Adds those that were created since; all others keep their index. `seen` (or NULL): the ids of all that were met. */
void cgroups__find_more(struct cgroups *cgroups, struct hash *seen);
/* Forgets those of the first `count`, and of the first `place_count` places, that were not met: they are gone. */
void cgroups__forget(struct cgroups *cgroups, size_t count, size_t place_count, const struct hash *seen);
/* Is the cgroup that was found still there? */
bool cgroups__exists(const struct cgroups *cgroups, const struct cgroup *cgroup);
/* One of these, which matched `glob` in the directory `parent`, as the kernel half has seen it. */
void cgroups__add(struct cgroups *cgroups, uint64_t parent, uint64_t id, size_t glob, const char *name);
void cgroups__free(struct cgroups *cgroups);

/* Where the hierarchy of version 2 is mounted, to be freed; NULL: nowhere. */
char *cgroups__root(void);
/* The next cgroup in the directory of another one, as readdir(3); NULL: there is none, or no directory. */
const struct dirent *cgroups__next(DIR *directory);

#endif

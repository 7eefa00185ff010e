/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cgroups of version 2 by their paths (cgroups(7)): "/system.slice/ssh.service", below the root that this process
 * sees, or the directory itself; both may be a pattern of glob(7).
 */
#ifndef FORKTAX_SOURCE_CGROUPS_H
#define FORKTAX_SOURCE_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

struct cgroup {
	char *path; /* below the root */
	uint64_t id; /* of its directory: what the kernel knows it by (bpf_get_current_cgroup_id(), bpf-helpers(7)) */
};

struct cgroups {
	struct cgroup *list;
	size_t count;
};

/*
 * Finds all cgroups that match; each pattern has to match at least one. Returns 0, or -1 and a message (to be freed).
 * To be freed by cgroups__free() in any case.
 */
int cgroups__find(struct cgroups *cgroups, char *const *patterns, size_t count, char **message);
void cgroups__free(struct cgroups *cgroups);

/* Where the hierarchy of version 2 is mounted, to be freed; NULL: nowhere. */
char *cgroups__root(void);

#endif

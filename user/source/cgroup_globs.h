/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Patterns of paths, as of glob(7), in the form that the kernel half takes: one for each name of the path. A backslash
 * stands for itself: systemd has it in names of units.
 */
#ifndef FORKTAX_SOURCE_CGROUP_GLOBS_H
#define FORKTAX_SOURCE_CGROUP_GLOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "forktax.h"

struct cgroup_globs {
	struct cgroup_glob *list; /* owned */
	size_t count;
};

/* False: a name in it is longer than names can be. No name at all ("/") adds nothing. */
bool cgroup_globs__add(struct cgroup_globs *globs, const char *pattern);
bool cgroup_glob__matches(const struct cgroup_glob *glob, const char *name);

#endif

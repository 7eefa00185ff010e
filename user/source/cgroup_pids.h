/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who is in cgroups now.
 */
#ifndef FORKTAX_SOURCE_CGROUP_PIDS_H
#define FORKTAX_SOURCE_CGROUP_PIDS_H

#include <stddef.h>
#include <stdint.h>

#include "source/cgroups.h"

/* The processes in these cgroups and in those below, as this pid namespace shows them; to be freed, never NULL. */
int32_t *cgroup_pids__read(const struct cgroups *cgroups, size_t *count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What people call what runs in a cgroup: the systemd unit, the container, or the pod. What tells one of many from the
 * others is left out, but for containers and pods (docs/use/fleet.md has the table).
 */
#ifndef FORKTAX_SOURCE_UNIT_NAMES_H
#define FORKTAX_SOURCE_UNIT_NAMES_H

/* `path`: of the cgroup, below the root of the hierarchy, beginning with a slash. To be freed. */
char *unit_name__of(const char *path);

#endif

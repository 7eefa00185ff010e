/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cgroups in a directory of their file system.
 */
#ifndef FORKTAX_SOURCE_CGROUP_DIRECTORY_H
#define FORKTAX_SOURCE_CGROUP_DIRECTORY_H

#include <stdint.h>

/* `name` holds during the call. The number of its inode is the id of the cgroup. */
typedef void cgroup_directory__visit(void *context, const char *name, uint64_t id);

/* Each of them once; none if the directory is gone, or may not be read. */
void cgroup_directory__each(const char *path, cgroup_directory__visit *visit, void *context);

#endif

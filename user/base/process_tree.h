/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who has created whom, as /proc shows it now: a process whose parent has ended is the child of another one.
 */
#ifndef FORKTAX_BASE_PROCESS_TREE_H
#define FORKTAX_BASE_PROCESS_TREE_H

#include <stddef.h>
#include <stdint.h>

/* All descendants of these processes, without them, to be freed; children before grandchildren. */
int32_t *process_tree__below(const int32_t *pids, size_t pid_count, size_t *count);

#endif

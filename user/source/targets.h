/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SOURCE_TARGETS_H
#define FORKTAX_SOURCE_TARGETS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Whether these processes can be attached to. Returns 0, or -1 and a message (to be freed) that
 * says which one cannot and why: gone, a zombie, a kernel thread, a thread of another process,
 * forktax itself, or somebody else's.
 */
int targets__check(const int32_t *pids, size_t count, char **message);

#endif

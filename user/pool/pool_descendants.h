/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_POOL_POOL_DESCENDANTS_H
#define FORKTAX_POOL_POOL_DESCENDANTS_H

#include <stddef.h>
#include <stdint.h>

/* The processes that run now and descend from any of these, to be freed; those themselves are not listed. */
int32_t *pool_descendants__find(const int32_t *pids, size_t count, size_t *found);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What looking at a pool needs, for `forktax doctor`.
 */
#ifndef FORKTAX_POOL_POOL_CAPABILITIES_H
#define FORKTAX_POOL_POOL_CAPABILITIES_H

#include "base/capability_row.h"

/* None of them is needed to trace. */
const struct capability *pool_capabilities__list(size_t *count);

#endif

/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What accounts of times have in common: path_accounts.h, share_accounts.h, tree_accounts.h.
 *
 * No names of the kernel's or of libbpf: unit tests include it, too.
 */
#ifndef FORKTAX_ACCOUNTS_H
#define FORKTAX_ACCOUNTS_H

#include "forktax.h"

#define ACCOUNTS_INLINE static inline __attribute__((always_inline))

ACCOUNTS_INLINE __u64 later_of(__u64 one, __u64 other)
{
	return one > other ? one : other;
}

/* How much more it is than before: a correction may have made it less. */
ACCOUNTS_INLINE __u64 more_than(__u64 now, __u64 before)
{
	return now > before ? now - before : 0;
}

#endif

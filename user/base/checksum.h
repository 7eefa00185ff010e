/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * FNV-1a (draft-eastlake-fnv): it finds accidents and careless edits, nothing else is asked of it.
 */
#ifndef FORKTAX_BASE_CHECKSUM_H
#define FORKTAX_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_BEGIN 0xcbf29ce484222325u /* of no bytes */

/* The checksum of what `sum` is of, and then these bytes. */
static inline uint64_t checksum__add(uint64_t sum, const void *bytes, size_t length)
{
	for (const unsigned char *at = bytes; length; at++, length--)
		sum = (sum ^ *at) * 0x100000001b3;
	return sum;
}

#endif

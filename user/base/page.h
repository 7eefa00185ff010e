/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pages of 4 KiB, as x86 has them and most arm64 systems: addresses and offsets rounded to whole pages.
 */
#ifndef FORKTAX_BASE_PAGE_H
#define FORKTAX_BASE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

/* Has this machine pages of that size? On others nothing is measured, because numbers of pages would be wrong. */
static inline bool page__is_usual(void)
{
	return sysconf(_SC_PAGESIZE) == PAGE_BYTES;
}

#define PAGE_UNUSUAL                                                                                     \
	"pages of this machine have %ld bytes, and forktax counts those of 4096 only: boot a kernel with such pages"

/* Rounds down to the begin of the page. */
static inline uint64_t page__begin(uint64_t offset)
{
	return offset & -(uint64_t)PAGE_BYTES;
}

/* Rounds up to the begin of a page; UINT64_MAX if there is none. */
static inline uint64_t page__end(uint64_t offset)
{
	return offset > UINT64_MAX - PAGE_BYTES ? UINT64_MAX : page__begin(offset + PAGE_BYTES - 1);
}

/* Are both in the same page? */
static inline bool page__is_same(uint64_t left, uint64_t right)
{
	return page__begin(left) == page__begin(right);
}

#endif

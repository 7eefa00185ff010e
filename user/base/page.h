/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The size of a page, and addresses and offsets rounded to whole pages. x86 has pages of 4 KiB; a kernel for arm64 is
 * built for 4, 16 or 64 KiB.
 */
#ifndef FORKTAX_BASE_PAGE_H
#define FORKTAX_BASE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

/* What documents that do not say it have: they are of versions that counted pages of this size only. */
enum { PAGE_BYTES_OLD = 4096 };

/* Bytes of a page of this machine. A document says the size of its own pages (struct machine), which may differ. */
extern int64_t page_bytes; /* signed: it is multiplied with differences, and compared with what read(2) returns */

/* Can a machine have such pages? */
bool page__is_possible(uint64_t bytes);

/* Rounds down to the begin of the page. */
static inline uint64_t page__begin(uint64_t offset)
{
	return offset & -(uint64_t)page_bytes;
}

/* Rounds up to the begin of a page; UINT64_MAX if there is none. */
static inline uint64_t page__end(uint64_t offset)
{
	return offset > UINT64_MAX - (uint64_t)page_bytes ? UINT64_MAX : page__begin(offset + page_bytes - 1);
}

/* Are both in the same page? */
static inline bool page__is_same(uint64_t left, uint64_t right)
{
	return page__begin(left) == page__begin(right);
}

#endif

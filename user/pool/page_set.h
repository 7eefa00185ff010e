/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anonymous pages of one process at a moment, with their frames: 8 bytes each.
 */
#ifndef FORKTAX_POOL_PAGE_SET_H
#define FORKTAX_POOL_PAGE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/rows/absent.h"
#include "pool/frames.h"

/*
 * Its number (address / page_bytes) in the upper 36 bits, whether another page table maps the frame, too, and
 * the lower 27 bits of the frame's number: equal ones are as good as certainly the same frame.
 */
typedef uint64_t page_entry;
enum { PAGE_ENTRY_SHIFT = 28 };
#define PAGE_ENTRY_SHARED (1ull << 27)

struct page_set {
	page_entry *list; /* ascending; owned */
	size_t count;
	uint64_t shared; /* how many of them are */
	uint64_t pss_anon; /* of the process: bytes of a page / (mappings of the frame), summed up; ABSENT: not read */
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC: of the reading; 0: not read */
};

/*
 * Reads it, if it has no more than `most` pages, with what `frames` says of their frames (frames__forget). False: the
 * process is gone, or has more, or frames may not be seen; the set is empty then.
 */
bool page_set__read(struct page_set *set, pid_t pid, struct frames *frames, size_t most);
void page_set__release(struct page_set *set);
/* The entry of a page by its number; 0: it is not there. */
page_entry page_set__find(const struct page_set *set, uint64_t page);
/* The same for pages in ascending order: `at` is 0 at first, and then where the search goes on. */
page_entry page_set__seek(const struct page_set *set, uint64_t page, size_t *at);

static inline uint64_t page_entry__page(page_entry entry)
{
	return entry >> PAGE_ENTRY_SHIFT;
}

static inline bool page_entry__has_same_frame(page_entry left, page_entry right)
{
	return ((left ^ right) & (PAGE_ENTRY_SHARED - 1)) == 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which parts of a member's memory hold anything, and which pages are the zero page or huge, by the
 * ioctl PAGEMAP_SCAN (Linux 6.7), or as far as possible by the page map alone. A window is an aligned
 * piece of 512 pages of addresses: with pages of 4 KiB, 2 MiB, as large as one huge page.
 */
#ifndef FORKTAX_POOL_PAGE_SCAN_H
#define FORKTAX_POOL_PAGE_SCAN_H

#include "base/page.h"
#include "model/workers/workers.h"
#include "pool/pool_maps.h"

enum { WINDOW_PAGES = 512 };
#define WINDOW_BYTES (WINDOW_PAGES * page_bytes)

/* Bits of /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst). */
#define PAGEMAP_PRESENT	  (1ull << 63)
#define PAGEMAP_SWAPPED	  (1ull << 62)
#define PAGEMAP_FILE	  (1ull << 61)
#define PAGEMAP_EXCLUSIVE (1ull << 56)
#define PAGEMAP_FRAME	  ((1ull << 55) - 1) /* 0 without CAP_SYS_ADMIN */

/* Windows in a row, by number: address / WINDOW_BYTES. */
struct window_run {
	uint64_t first, last;
};

struct window_runs {
	struct window_run *list; /* ascending, with gaps between; owned */
	size_t count;
	uint64_t most; /* of one mapping */
	bool huge; /* a huge page was found; without PAGEMAP_SCAN it is not known */
};

/*
 * Appends the window unless it is the last one already; windows come in ascending order. Returns how many of them
 * are new.
 */
uint64_t window_runs__add(struct window_runs *runs, uint64_t first, uint64_t last);

/* Does this kernel have the ioctl? Asked of a descriptor of any page map. */
bool page_scan__is_there(int pagemap);
/* Appends the windows of these mappings that hold anonymous or swapped pages. */
void page_scan__find(int pagemap, bool can_scan, const struct pool_maps *maps, struct window_runs *runs);

/* Marks the pages of a window that are the zero page, or huge. Returns false if it cannot be known. */
bool page_scan__mark(int pagemap, uint64_t window, bool zero[WINDOW_PAGES], bool huge[WINDOW_PAGES]);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/page_scan.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"

/* From Linux 6.7's include/uapi/linux/fs.h, which older systems do not have. */
struct scan_region {
	uint64_t start, end, categories;
};

struct scan_argument {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

#define SCAN _IOWR('f', 16, struct scan_argument)

enum {
	IS_FILE = 1 << 2,
	IS_PRESENT = 1 << 3,
	IS_SWAPPED = 1 << 4,
	IS_ZERO = 1 << 5,
	IS_HUGE = 1 << 6,
};

enum { REGIONS = 512 };

static long scan(int pagemap, struct scan_argument *argument, struct scan_region *regions)
{
	argument->size = sizeof(*argument);
	argument->vec = (uintptr_t)regions;
	argument->vec_len = REGIONS;
	return ioctl(pagemap, SCAN, argument);
}

bool page_scan__is_there(int pagemap)
{
	struct scan_region regions[REGIONS];
	struct scan_argument argument = { .return_mask = IS_PRESENT, .category_mask = IS_PRESENT };

	return scan(pagemap, &argument, regions) >= 0;
}

uint64_t window_runs__add(struct window_runs *runs, uint64_t first, uint64_t last)
{
	struct window_run *before = runs->count ? &runs->list[runs->count - 1] : NULL;
	uint64_t added;

	if (before && first <= before->last + 1) {
		added = last > before->last ? last - before->last : 0;
		before->last += added;
		return added;
	}
	runs->list = checked_grow(runs->list, runs->count, sizeof(*runs->list));
	runs->list[runs->count++] = (struct window_run){ first, last };
	return last - first + 1;
}

/*
 * The kernel lets nobody map or unmap memory while it looks through such a piece: less than a millisecond if it is
 * full. (It looks through empty ones much faster.)
 */
enum { PIECE_BYTES = 128 << 20 };

/* One piece. Stores how many windows are new. False: the ioctl failed. */
static bool find_in_piece(int pagemap, struct scan_argument *argument, struct window_runs *runs, uint64_t *added)
{
	struct scan_region regions[REGIONS];

	while (argument->start < argument->end) {
		long count = scan(pagemap, argument, regions);

		if (count < 0)
			return false;
		for (long i = 0; i < count; i++) {
			*added += window_runs__add(runs, regions[i].start / WINDOW_BYTES,
						   (regions[i].end - 1) / WINDOW_BYTES);
			runs->huge |= regions[i].categories & IS_HUGE;
		}
		if (argument->walk_end <= argument->start)
			return false;
		argument->start = argument->walk_end;
	}
	return true;
}

/*
 * Pages of a file need another look at each. False: the ioctl failed.
 */
static bool find_by_scan(int pagemap, const struct pool_vma *vma, struct window_runs *runs, uint64_t *added)
{
	const uint64_t but_for = IS_ZERO | (vma->inode ? IS_FILE : 0);
	struct scan_argument argument = {
		.start = vma->start,
		.category_inverted = but_for,
		.category_mask = but_for,
		.category_anyof_mask = IS_PRESENT | IS_SWAPPED,
		.return_mask = IS_PRESENT | IS_SWAPPED | IS_HUGE,
	};

	while (argument.start < vma->end) {
		argument.end = vma->end - argument.start > PIECE_BYTES ? argument.start + PIECE_BYTES : vma->end;
		if (!find_in_piece(pagemap, &argument, runs, added))
			return false;
	}
	return true;
}

static uint64_t find_by_reading(int pagemap, const struct pool_vma *vma, struct window_runs *runs)
{
	uint64_t entries[8 * WINDOW_PAGES], added = 0;

	for (uint64_t at = vma->start; at < vma->end;) {
		size_t count = (vma->end - at) / page_bytes;
		ssize_t got;

		if (count > sizeof(entries) / sizeof(entries[0]))
			count = sizeof(entries) / sizeof(entries[0]);
		got = pread(pagemap, entries, count * sizeof(entries[0]), at / page_bytes * sizeof(entries[0]));
		if (got <= 0)
			return added;
		count = got / sizeof(entries[0]);
		for (size_t i = 0; i < count; i++)
			if (entries[i] & (PAGEMAP_PRESENT | PAGEMAP_SWAPPED) && !(entries[i] & PAGEMAP_FILE))
				added += window_runs__add(runs, (at + i * page_bytes) / WINDOW_BYTES,
							  (at + i * page_bytes) / WINDOW_BYTES);
		at += count * page_bytes;
	}
	return added;
}

void page_scan__find(int pagemap, bool can_scan, const struct pool_maps *maps, struct window_runs *runs)
{
	for (size_t i = 0; i < maps->count; i++) {
		uint64_t added = 0;

		if (!can_scan || !find_by_scan(pagemap, &maps->list[i], runs, &added))
			added += find_by_reading(pagemap, &maps->list[i], runs);
		if (added > runs->most)
			runs->most = added;
	}
}

static void mark(const struct scan_region *region, uint64_t start, uint64_t category, bool marks[WINDOW_PAGES])
{
	if (!(region->categories & category))
		return;
	memset(&marks[(region->start - start) / page_bytes], true, (region->end - region->start) / page_bytes);
}

bool page_scan__mark(int pagemap, uint64_t window, bool zero[WINDOW_PAGES], bool huge[WINDOW_PAGES])
{
	struct scan_region regions[REGIONS];
	struct scan_argument argument = {
		.start = window * WINDOW_BYTES,
		.end = (window + 1) * WINDOW_BYTES,
		.category_anyof_mask = IS_ZERO | IS_HUGE,
		.return_mask = IS_ZERO | IS_HUGE,
	};
	long count = scan(pagemap, &argument, regions);

	memset(zero, 0, WINDOW_PAGES * sizeof(*zero));
	memset(huge, 0, WINDOW_PAGES * sizeof(*huge));
	for (long i = 0; i < count; i++) {
		mark(&regions[i], window * WINDOW_BYTES, IS_ZERO, zero);
		mark(&regions[i], window * WINDOW_BYTES, IS_HUGE, huge);
	}
	return count >= 0 && argument.walk_end == argument.end;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of all members of a pool, a window of addresses at a time: so what is held at once does
 * not grow with the memory of the pool.
 */
#ifndef FORKTAX_POOL_POOL_WINDOW_H
#define FORKTAX_POOL_POOL_WINDOW_H

#include "model/workers/workers.h"
#include "pool/frames.h"
#include "pool/page_scan.h"
#include "pool/pool_maps.h"
#include "pool/pool_process.h"
#include "pool/rollup.h"

struct pool_member {
	struct pool_process process;
	int pagemap, memory; /* descriptors; -1: not open */
	bool gone; /* ended or executed something else meanwhile */
	bool may_be_huge; /* some of its memory is in huge pages */
	struct pool_maps maps;
	struct window_runs runs; /* where it has anonymous pages */
	size_t run, vma; /* how far the windows have come */
	struct worker_pages *rows; /* of mappings, by pool_vma.row; owned */
	size_t row_count;
	uint64_t counted; /* sum of bytes of a page / (mappings of the frame), in bytes / 4096 */
	struct rollup rollup;
	struct rss rss;
	bool not_summed; /* the rollup was left alone: it would have held the process up */
};

/* No number of a frame: */
enum { FRAME_NONE = 0 }; /* nothing there, or none of the process's own */
#define FRAME_SWAPPED (1ull << 62)
#define FRAME_UNKNOWN (FRAME_SWAPPED + 1) /* an anonymous page, shared or not */
#define FRAME_COMMON  (FRAME_SWAPPED + 2) /* shared with somebody */
#define FRAME_ALONE   (1ull << 61) /* and the view: shared with nobody */

enum { NO_VMA = UINT32_MAX, NO_ROW = UINT32_MAX };

/* What a member has in the window; only of those that have mappings there. */
struct member_view {
	struct pool_member *member;
	bool is_master;
	uint32_t vma[WINDOW_PAGES]; /* index in its maps, or NO_VMA */
	uint64_t frame[WINDOW_PAGES];
	bool zero[WINDOW_PAGES], huge[WINDOW_PAGES]; /* the zero page, in a huge page */
	bool alone[WINDOW_PAGES]; /* no other page table has the frame; false: it may */
	bool huge_known;
};

struct pool_window {
	struct pool_member *members; /* the master first */
	size_t member_count;
	bool has_master;
	struct frames *frames;
	bool can_scan;
	uint64_t number;
	struct member_view *views; /* room for all members; owned */
	size_t view_count;
};

/* Before the first window, and to begin again. */
void pool_window__rewind(struct pool_window *window);
/* Goes to the next window where a member has pages, and reads it. False: there is none. */
bool pool_window__next(struct pool_window *window);

/* Does it have a page that may have been forked (not swapped)? */
static inline bool frame__is_page(uint64_t frame)
{
	return frame != FRAME_NONE && frame != FRAME_SWAPPED;
}

/* The mapping of the page; it has one. */
struct pool_vma *member_view__vma(const struct member_view *view, unsigned int page);
/* Where its pages are counted. */
struct worker_pages *member_view__counts(const struct member_view *view, unsigned int page);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What may be known of page frames here: their numbers (CAP_SYS_ADMIN), how often each is mapped
 * (/proc/kpagecount) and whether same-page merging made it (/proc/kpageflags).
 */
#ifndef FORKTAX_POOL_FRAMES_H
#define FORKTAX_POOL_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct frame_block;

/*
 * A file with a number for each frame. Neighbours are read at once, and kept: pages that follow each other
 * may have frames anywhere, but those of a process lie together in the end.
 */
struct frame_file {
	int fd; /* -1: may not be read */
	unsigned int shift; /* of the number these bits are wanted */
	uint64_t mask;
	struct frame_block *blocks; /* a cache, by their numbers; NULL: none read yet; owned */
};

struct frames {
	bool seen; /* their numbers */
	uint64_t zero; /* the number of the zero page; 0: not known */
	struct frame_file counts, flags;
	bool merging; /* the machine merges pages, so flags must be looked at */
	uint32_t age; /* how often it was forgotten what was read, and 1 */
};

void frames__open(struct frames *frames);
void frames__close(struct frames *frames);
/* What was read is old by now: nothing of it is used any more. */
void frames__forget(struct frames *frames);
/* The same, and gives back its memory until something is read again. */
void frames__release(struct frames *frames);
/* How many page tables map it, of whatever process; 0: not known. As it was since the last forgetting. */
uint64_t frames__mappings(struct frames *frames, uint64_t frame);
/* The same as it is now, by an entry of a page map that was just read (page_scan.h). */
uint64_t frames__mappings_of(struct frames *frames, uint64_t entry);
/* Is it one that several pages of equal contents were merged into? False if it cannot be known. */
bool frames__is_merged(struct frames *frames, uint64_t frame);

#endif

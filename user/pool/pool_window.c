// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_window.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

void pool_window__rewind(struct pool_window *window)
{
	for (size_t i = 0; i < window->member_count; i++)
		window->members[i].run = window->members[i].vma = 0;
	window->number = UINT64_MAX; /* before the first */
	window->ordinal = 0;
}

/* The first window from `number` on in which the member has pages; UINT64_MAX: none. */
static uint64_t next_of(struct pool_member *member, uint64_t number)
{
	const struct window_run *run;

	while (member->run < member->runs.count && member->runs.list[member->run].last < number)
		member->run++;
	if (member->gone || member->run == member->runs.count)
		return UINT64_MAX;
	run = &member->runs.list[member->run];
	return run->first > number ? run->first : number;
}

/* Notes which mapping each page is in. False: it has none here. */
static bool place(struct pool_seat *seat, uint64_t start)
{
	struct pool_member *member = seat->member;
	const struct pool_maps *maps = &member->maps;
	const uint64_t end = start + WINDOW_BYTES;
	bool any = false;

	while (member->vma < maps->count && maps->list[member->vma].end <= start)
		member->vma++;
	memset(seat->vma, 0xff, sizeof(seat->vma)); /* NO_VMA */
	for (size_t i = member->vma; i < maps->count && maps->list[i].start < end; i++) {
		const struct pool_vma *vma = &maps->list[i];
		uint64_t from = vma->start > start ? vma->start : start;
		uint64_t to = vma->end < end ? vma->end : end;

		for (; from < to; from += PAGE_BYTES)
			seat->vma[(from - start) / PAGE_BYTES] = i;
		any = true;
	}
	return any;
}

static bool is_anonymous(uint64_t entry)
{
	return entry & PAGEMAP_PRESENT && !(entry & PAGEMAP_FILE);
}

/* A huge page fills the window; small pages may do so, too. */
static void guess_huge(struct pool_seat *seat)
{
	bool full = true;

	for (unsigned int i = 0; i < WINDOW_PAGES && full; i++)
		full = is_anonymous(seat->frame[i]) && seat->vma[i] == seat->vma[0];
	memset(seat->huge, full, sizeof(seat->huge));
}

/* Adds what an entry of the page map alone does not say. */
static void mark_pages(const struct pool_window *window, struct pool_seat *seat)
{
	const struct pool_member *member = seat->member;
	bool needed = member->may_be_huge || !window->frames->seen;

	memset(seat->zero, false, sizeof(seat->zero));
	memset(seat->huge, false, sizeof(seat->huge));
	seat->huge_known = !member->may_be_huge;
	if (window->can_scan && needed)
		seat->huge_known |= page_scan__mark(member->pagemap, window->number, seat->zero,
						    seat->huge);
	else if (member->may_be_huge && !window->frames->seen)
		guess_huge(seat);
}

static uint64_t frame_of(const struct pool_window *window, const struct pool_seat *seat,
			 unsigned int page)
{
	uint64_t entry = seat->frame[page], frame = entry & PAGEMAP_FRAME;

	if (seat->vma[page] == NO_VMA)
		return FRAME_NONE;
	if (entry & PAGEMAP_SWAPPED && !(entry & PAGEMAP_FILE))
		return FRAME_SWAPPED;
	if (!is_anonymous(entry) || seat->zero[page])
		return FRAME_NONE;
	if (window->frames->seen)
		return frame == window->frames->zero ? FRAME_NONE : frame;
	if (seat->huge[page])
		return FRAME_UNKNOWN;
	return entry & PAGEMAP_EXCLUSIVE ? FRAME_ALONE + (seat - window->seats) : FRAME_COMMON;
}

/* Reads the page map, and puts frames in its place. */
static void read_frames(const struct pool_window *window, struct pool_seat *seat)
{
	struct pool_member *member = seat->member;
	ssize_t got;

	if (next_of(member, window->number) != window->number) {
		memset(seat->frame, 0, sizeof(seat->frame));
		return;
	}
	got = pread(member->pagemap, seat->frame, sizeof(seat->frame),
		    window->number * WINDOW_PAGES * sizeof(seat->frame[0]));
	if (got <= 0)
		member->gone = true; /* an end of file: the memory is nobody's any more */
	got = got > 0 ? got : 0;
	memset((char *)seat->frame + got, 0, sizeof(seat->frame) - got);
	mark_pages(window, seat);
	for (unsigned int i = 0; i < WINDOW_PAGES; i++)
		seat->frame[i] = frame_of(window, seat, i);
}

/* The next one in which anybody has pages; UINT64_MAX: there is none. */
static uint64_t next_window(struct pool_window *window, uint64_t number)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < window->member_count; i++) {
		uint64_t one = next_of(&window->members[i], number);

		next = one < next ? one : next;
	}
	return next;
}

bool pool_window__next(struct pool_window *window)
{
	uint64_t next = window->number;

	do
		next = next_window(window, next + 1);
	while (next != UINT64_MAX && window->ordinal++ % window->every != window->start);
	window->number = next;
	window->seat_count = 0;
	for (size_t i = 0; next != UINT64_MAX && i < window->member_count; i++) {
		struct pool_seat *seat = &window->seats[window->seat_count];

		seat->member = &window->members[i];
		seat->is_master = !i && window->has_master;
		if (window->members[i].gone || !place(seat, next * WINDOW_BYTES))
			continue;
		read_frames(window, seat);
		window->seat_count++;
	}
	return next != UINT64_MAX;
}

struct pool_vma *pool_seat__vma(const struct pool_seat *seat, unsigned int page)
{
	return &seat->member->maps.list[seat->vma[page]];
}

struct worker_pages *pool_seat__counts(const struct pool_seat *seat, unsigned int page)
{
	struct pool_member *member = seat->member;
	struct pool_vma *vma = pool_seat__vma(seat, page);

	if (vma->row == NO_ROW) {
		member->rows = checked_grow(member->rows, member->row_count, sizeof(*member->rows));
		vma->row = member->row_count++;
		member->rows[vma->row] = worker_pages__none(member->has_baseline,
							    member->has_frames);
	}
	return &member->rows[vma->row];
}

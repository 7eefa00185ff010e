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
static bool place(struct member_view *view, uint64_t start)
{
	struct pool_member *member = view->member;
	const struct pool_maps *maps = &member->maps;
	const uint64_t end = start + WINDOW_BYTES;
	bool any = false;

	while (member->vma < maps->count && maps->list[member->vma].end <= start)
		member->vma++;
	memset(view->vma, 0xff, sizeof(view->vma)); /* NO_VMA */
	for (size_t i = member->vma; i < maps->count && maps->list[i].start < end; i++) {
		const struct pool_vma *vma = &maps->list[i];
		uint64_t from = vma->start > start ? vma->start : start;
		uint64_t to = vma->end < end ? vma->end : end;

		for (; from < to; from += page_bytes)
			view->vma[(from - start) / page_bytes] = i;
		any = true;
	}
	return any;
}

static bool is_anonymous(uint64_t entry)
{
	return entry & PAGEMAP_PRESENT && !(entry & PAGEMAP_FILE);
}

/* A huge page fills the window; small pages may do so, too. */
static void guess_huge(struct member_view *view)
{
	bool full = true;

	for (unsigned int i = 0; i < WINDOW_PAGES && full; i++)
		full = is_anonymous(view->frame[i]) && view->vma[i] == view->vma[0];
	memset(view->huge, full, sizeof(view->huge));
}

/* Adds what an entry of the page map alone does not say. */
static void mark_pages(const struct pool_window *window, struct member_view *view)
{
	const struct pool_member *member = view->member;
	bool needed = member->may_be_huge || !window->frames->seen;

	memset(view->zero, false, sizeof(view->zero));
	memset(view->huge, false, sizeof(view->huge));
	view->huge_known = !member->may_be_huge;
	if (window->can_scan && needed)
		view->huge_known |= page_scan__mark(member->pagemap, window->number, view->zero, view->huge);
	else if (member->may_be_huge && !window->frames->seen)
		guess_huge(view);
}

/* By the page map, where it can be believed: it has one answer for a whole huge page. */
static bool is_alone(const struct member_view *view, unsigned int page)
{
	return view->frame[page] & PAGEMAP_EXCLUSIVE && view->huge_known && !view->huge[page];
}

static uint64_t frame_of(const struct pool_window *window, const struct member_view *view, unsigned int page)
{
	uint64_t entry = view->frame[page], frame = entry & PAGEMAP_FRAME;

	if (view->vma[page] == NO_VMA)
		return FRAME_NONE;
	if (entry & PAGEMAP_SWAPPED && !(entry & PAGEMAP_FILE))
		return FRAME_SWAPPED;
	if (!is_anonymous(entry) || view->zero[page])
		return FRAME_NONE;
	if (window->frames->seen)
		return frame == window->frames->zero ? FRAME_NONE : frame;
	if (view->huge[page])
		return FRAME_UNKNOWN;
	return entry & PAGEMAP_EXCLUSIVE ? FRAME_ALONE + (view - window->views) : FRAME_COMMON;
}

/* Reads the page map, and puts frames in its place. */
static void read_frames(const struct pool_window *window, struct member_view *view)
{
	struct pool_member *member = view->member;
	ssize_t got;

	if (next_of(member, window->number) != window->number) {
		memset(view->frame, 0, sizeof(view->frame));
		return;
	}
	got = pread(member->pagemap, view->frame, sizeof(view->frame),
		    window->number * WINDOW_PAGES * sizeof(view->frame[0]));
	if (got <= 0)
		member->gone = true; /* an end of file: the memory is nobody's any more */
	got = got > 0 ? got : 0;
	memset((char *)view->frame + got, 0, sizeof(view->frame) - got);
	mark_pages(window, view);
	for (unsigned int i = 0; i < WINDOW_PAGES; i++) {
		view->alone[i] = is_alone(view, i);
		view->frame[i] = frame_of(window, view, i);
	}
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
	const uint64_t next = next_window(window, window->number + 1);

	window->number = next;
	window->view_count = 0;
	for (size_t i = 0; next != UINT64_MAX && i < window->member_count; i++) {
		struct member_view *view = &window->views[window->view_count];

		view->member = &window->members[i];
		view->is_master = !i && window->has_master;
		if (window->members[i].gone || !place(view, next * WINDOW_BYTES))
			continue;
		read_frames(window, view);
		window->view_count++;
	}
	return next != UINT64_MAX;
}

struct pool_vma *member_view__vma(const struct member_view *view, unsigned int page)
{
	return &view->member->maps.list[view->vma[page]];
}

struct worker_pages *member_view__counts(const struct member_view *view, unsigned int page)
{
	struct pool_member *member = view->member;
	struct pool_vma *vma = member_view__vma(view, page);

	if (vma->row == NO_ROW) {
		member->rows = checked_grow(member->rows, member->row_count, sizeof(*member->rows));
		vma->row = member->row_count++;
		member->rows[vma->row] = (struct worker_pages){ 0 };
	}
	return &member->rows[vma->row];
}

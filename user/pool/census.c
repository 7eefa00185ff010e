// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pool/contents.h"
#include "pool/moved_frames.h"
#include "pool/pool_groups.h"

/* All that is needed at once. */
struct look {
	struct census *census;
	struct pool_window window;
	struct pool_groups groups; /* of the page that is looked at */
	struct moved_frames moved;
	struct contents contents;
	bool asks; /* the contents of a page of this window are wanted */
	const struct baseline_window *before; /* of this window; NULL: nothing is known */
	uint32_t *numbers; /* of members in the baseline; NULL: there is none */
	uint64_t tally[TALLIES]; /* pages, of this window */
	uint64_t before_tally[TALLIES]; /* of the one before */
	struct verdict *seen; /* different contents at one address; room for one of each seat */
};

static uint32_t number_of(const struct look *look, const struct pool_seat *seat)
{
	return seat->member - look->census->members;
}

static bool is_numbered(uint64_t frame)
{
	return frame < FRAME_ALONE;
}

/* The first pass: which mappings were there at a fork, and which pages to look for elsewhere. */
static void survey_page(struct look *look, unsigned int page)
{
	const struct pool_group *shown = pool_groups__shown(&look->groups);
	const struct pool_window *window = &look->window;

	for (size_t i = 0; i < look->groups.count; i++) {
		const struct pool_group *group = &look->groups.list[i];
		const struct pool_seat *seat = &window->seats[group->first];

		if (group->seats == 1 && is_numbered(group->frame) &&
		    frames__mappings(window->frames, group->frame) != 1)
			moved_frames__add(&look->moved, group->frame, number_of(look, seat));
	}
	for (size_t i = 0; shown && i < window->seat_count; i++) {
		const struct pool_seat *seat = &window->seats[i];

		if (look->groups.of[i] != NO_GROUP_HERE &&
		    pool_vma__has_backing_of(pool_seat__vma(seat, page),
					     pool_seat__vma(&window->seats[shown->first], page)))
			pool_seat__vma(seat, page)->shown = true;
	}
}

static void survey(struct look *look)
{
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window)) {
		for (unsigned int page = 0; page < WINDOW_PAGES; page++) {
			pool_groups__find(&look->groups, &look->window, page);
			survey_page(look, page);
		}
	}
	moved_frames__sort(&look->moved);
}

/* The second pass, if a page was alone with its frame at its address and yet mapped elsewhere. */
static void search_elsewhere(struct look *look)
{
	const struct pool_window *window = &look->window;

	if (!look->moved.count)
		return;
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window))
		for (size_t i = 0; i < window->seat_count; i++)
			for (unsigned int page = 0; page < WINDOW_PAGES; page++)
				if (window->seats[i].frame[page] &&
				    is_numbered(window->seats[i].frame[page]))
					moved_frames__see(&look->moved, window->seats[i].frame[page],
							  number_of(look, &window->seats[i]));
}

/* Adds 4 KiB / mappings, as the kernel does for Pss. */
static void keep_books(struct look *look, struct pool_group *group, struct pool_seat *seat)
{
	if (!is_numbered(group->frame))
		return;
	if (!group->mappings)
		group->mappings = frames__mappings(look->window.frames, group->frame);
	if (!group->mappings)
		group->mappings = group->seats;
	seat->member->counted += ((uint64_t)PAGE_BYTES << 12) / group->mappings;
}

static void count_huge(struct worker_pages *counts, const struct pool_seat *seat, unsigned int page)
{
	if (!seat->huge_known)
		counts->huge = ABSENT;
	else if (counts->huge != ABSENT)
		counts->huge += seat->huge[page];
}

/* What is known of one address. */
struct address {
	unsigned int page;
	const struct pool_group *shown; /* NULL: nobody is seen to share by a fork */
	uint32_t reference; /* seat whose page is compared with; NO_SEAT: the master has none */
	uint64_t frames; /* that hold an inherited page */
};

static const struct pool_vma *reference_vma(const struct look *look, const struct address *address)
{
	return pool_seat__vma(&look->window.seats[address->reference], address->page);
}

static void set_reference(struct look *look, struct address *address)
{
	const struct pool_seat *first = look->window.seats;

	address->reference = NO_SEAT;
	if (first->is_master && frame__is_page(first->frame[address->page]))
		address->reference = 0;
	else if (address->shown)
		address->reference = address->shown->first;
}

/* Was this mapping there when the master's, or that of the group, was inherited? */
static bool has_partner(const struct look *look, const struct address *address,
			const struct pool_seat *seat)
{
	return address->reference != NO_SEAT &&
	       pool_vma__has_backing_of(pool_seat__vma(seat, address->page),
					reference_vma(look, address));
}

/* Is the page shown to be inherited at this address itself? */
static bool is_shown(const struct look *look, const struct address *address,
		     const struct pool_seat *seat)
{
	return address->shown &&
	       pool_vma__has_backing_of(
		       pool_seat__vma(seat, address->page),
		       pool_seat__vma(&look->window.seats[address->shown->first], address->page));
}

/*
 * Did the member inherit the page by the baseline: had it shared it then, or was it born since to a
 * master that has held the frame all along?
 */
static bool is_recorded(const struct look *look, const struct address *address,
			const struct pool_seat *seat)
{
	const struct pool_seat *first = look->window.seats;
	const unsigned int page = address->page;
	uint32_t number;

	if (!look->before)
		return false;
	number = look->numbers[number_of(look, seat)];
	if (number != NO_BASELINE)
		return baseline_window__shares(look->before, number, page);
	return first->is_master && is_numbered(first->frame[page]) &&
	       first->frame[page] == look->before->frame[page];
}

/* Who has another frame has copied the page; who has the old one alone was left with it. */
static void compare_with_baseline(const struct look *look, struct worker_pages *counts,
				  const struct pool_seat *seat, unsigned int page)
{
	const uint64_t frame = seat->frame[page];

	if (counts->copied == ABSENT || !look->before || !is_numbered(frame) ||
	    !baseline_window__shares(look->before, look->numbers[number_of(look, seat)], page))
		return;
	counts->copied += frame != look->before->frame[page];
	counts->sole += frame == look->before->frame[page];
}

static void ask(struct look *look, struct address *address, size_t seat, bool alone)
{
	address->frames++;
	contents__ask(&look->contents, seat, address->page, address->reference)->alone = alone;
	look->asks = true;
}

static void count_own(struct look *look, struct address *address, size_t index)
{
	const struct pool_seat *seat = &look->window.seats[index];
	struct worker_pages *counts = pool_seat__counts(seat, address->page);
	const struct pool_vma *vma = pool_seat__vma(seat, address->page);

	counts->own++;
	compare_with_baseline(look, counts, seat, address->page);
	if (seat->is_master)
		return;
	if (!has_partner(look, address, seat)) {
		look->tally[TALLY_NEW]++;
		counts->file_private += vma->inode != 0;
		counts->new += !vma->inode;
	} else if (is_recorded(look, address, seat)) {
		counts->recorded++;
		ask(look, address, index, true);
	} else if (is_shown(look, address, seat)) {
		counts->shown++;
		ask(look, address, index, true);
	} else if (vma->shown) {
		counts->presumed++;
		ask(look, address, index, true);
	} else {
		counts->unknown_origin++;
	}
}

/* Somebody has the frame elsewhere, and perhaps where nobody looks. */
static bool is_outside_sample(const struct look *look, const struct pool_group *group)
{
	return look->census->every > 1 && is_numbered(group->frame) && group->mappings != 1;
}

static void count_seat(struct look *look, struct address *address, size_t index)
{
	struct pool_seat *seat = &look->window.seats[index];
	struct pool_group *group = &look->groups.list[look->groups.of[index]];
	struct worker_pages *counts = pool_seat__counts(seat, address->page);
	bool together = group->seats > 1 || group->frame == FRAME_COMMON;

	keep_books(look, group, seat);
	count_huge(counts, seat, address->page);
	if (group->frame == FRAME_UNKNOWN) {
		counts->unknown++;
	} else if (!together && is_outside_sample(look, group)) {
		counts->unknown++;
	} else if (together || moved_frames__is_shared(&look->moved, group->frame)) {
		counts->shared++;
		look->tally[TALLY_SHARED] += !seat->is_master;
		counts->moved += !together;
		counts->merged += group->merged ||
				  (!together && frames__is_merged(look->window.frames, group->frame));
	} else {
		count_own(look, address, index);
	}
}

static void count_absent(struct look *look, const struct address *address, size_t index)
{
	const struct pool_seat *seat = &look->window.seats[index];

	if (seat->vma[address->page] == NO_VMA)
		return;
	if (seat->frame[address->page] == FRAME_SWAPPED)
		pool_seat__counts(seat, address->page)->swapped++;
	else if (!seat->is_master && has_partner(look, address, seat) &&
		 (is_recorded(look, address, seat) || is_shown(look, address, seat) ||
		  pool_seat__vma(seat, address->page)->shown))
		pool_seat__counts(seat, address->page)->dropped++;
}

/* One page of each group whose frame is another than that of the reference. */
static void ask_groups(struct look *look, struct address *address)
{
	const struct pool_seat *seats = look->window.seats;

	for (size_t i = 0; i < look->groups.count && address->reference != NO_SEAT; i++) {
		const struct pool_group *group = &look->groups.list[i];

		if (group->frame == seats[address->reference].frame[address->page]) {
			address->frames++;
			continue;
		}
		/* Where the reference's frame is not known, those that share may share it. */
		if (group->frame == FRAME_COMMON &&
		    seats[address->reference].frame[address->page] == FRAME_UNKNOWN)
			continue;
		if (pool_group__is_shown(group) &&
		    has_partner(look, address, &seats[group->first]))
			ask(look, address, group->first, false);
	}
}

static void count_page(struct look *look, unsigned int page)
{
	struct address address = { .page = page };

	pool_groups__find(&look->groups, &look->window, page);
	address.shown = pool_groups__shown(&look->groups);
	if (look->census->record)
		pool_baseline__record(look->census->record, &look->window, &look->groups, page,
				      address.shown);
	set_reference(look, &address);
	for (size_t i = 0; i < look->window.seat_count; i++) {
		if (look->groups.of[i] != NO_GROUP_HERE)
			count_seat(look, &address, i);
		else
			count_absent(look, &address, i);
	}
	ask_groups(look, &address);
	if (address.frames > 1)
		look->tally[TALLY_EXTRA] += address.frames - 1;
}

static void count_class(struct worker_pages *counts, const struct verdict *verdict)
{
	counts->identical += verdict->class == CONTENTS_IDENTICAL;
	counts->few_words += verdict->class == CONTENTS_FEW_WORDS;
	counts->different += verdict->class == CONTENTS_DIFFERENT;
	counts->unstable += verdict->class == CONTENTS_UNSTABLE;
	counts->unread += verdict->class == CONTENTS_UNREAD;
	if (verdict->class != CONTENTS_FEW_WORDS && verdict->class != CONTENTS_DIFFERENT)
		return;
	counts->changed_words += verdict->changed;
	counts->count_words += verdict->near;
	counts->age_words += verdict->age;
}

static int by_hash(const void *left, const void *right)
{
	return memcmp(((const struct verdict *)left)->hash, ((const struct verdict *)right)->hash,
		      sizeof(((const struct verdict *)left)->hash));
}

static bool has_stable_contents(const struct verdict *verdict)
{
	return verdict->class >= CONTENTS_IDENTICAL && verdict->class <= CONTENTS_DIFFERENT;
}

/* Frames - different contents, of what could be read. */
static uint64_t mergeable(const struct look *look, size_t count)
{
	uint64_t different = 0;

	if (!count)
		return 0;
	qsort(look->seen, count, sizeof(*look->seen), by_hash);
	for (size_t i = 0; i < count; i++)
		different += !i || by_hash(&look->seen[i - 1], &look->seen[i]);
	return count - different;
}

static void judge_page(struct look *look, unsigned int page)
{
	const struct verdict *reference = &look->contents.of_reference[page];
	size_t seen = 0;

	if (reference->class == CONTENTS_NOT_ASKED)
		return;
	if (has_stable_contents(reference))
		look->seen[seen++] = *reference;
	for (size_t i = 0; i < look->window.seat_count; i++) {
		const struct verdict *verdict = contents__verdict(&look->contents, i, page);

		if (verdict->class == CONTENTS_NOT_ASKED)
			continue;
		if (verdict->alone) {
			look->tally[TALLY_UNSHARED]++;
			look->tally[TALLY_IDENTICAL] += verdict->class == CONTENTS_IDENTICAL;
			count_class(pool_seat__counts(&look->window.seats[i], page), verdict);
		}
		if (has_stable_contents(verdict))
			look->seen[seen++] = *verdict;
	}
	look->tally[TALLY_MERGEABLE] += mergeable(look, seen);
}

static void count_window(struct look *look)
{
	look->asks = false;
	look->before = pool_baseline__window(look->census->baseline, look->window.number);
	memset(look->tally, 0, sizeof(look->tally));
	contents__begin(&look->contents, &look->window);
	for (unsigned int page = 0; page < WINDOW_PAGES; page++)
		count_page(look, page);
	if (!look->asks)
		return;
	contents__read(&look->contents, &look->window);
	for (unsigned int page = 0; page < WINDOW_PAGES; page++)
		judge_page(look, page);
}

/* Neighbours are alike: what they differ by tells how far a sample can be wrong. */
static void tally_window(struct look *look)
{
	struct census *census = look->census;

	census->extra += look->tally[TALLY_EXTRA];
	census->mergeable += look->tally[TALLY_MERGEABLE];
	for (int i = 0; i < TALLIES && census->looked; i++) {
		double difference = (double)look->tally[i] - (double)look->before_tally[i];

		census->squares[i] += difference * difference;
	}
	memcpy(look->before_tally, look->tally, sizeof(look->tally));
	census->looked++;
}

/* From what was looked at to all. */
static void scale(struct census *census)
{
	census->extra *= census->every;
	census->mergeable *= census->every;
	for (size_t i = 0; i < census->member_count; i++)
		for (size_t k = 0; k < census->members[i].row_count; k++)
			worker_pages__scale(&census->members[i].rows[k], census->every);
}

/* The last pass. */
static void count(struct look *look)
{
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window)) {
		count_window(look);
		tally_window(look);
	}
	look->census->pieces = look->window.ordinal;
	if (look->census->every > 1)
		scale(look->census);
}

static uint32_t *numbers_in(const struct pool_baseline *baseline, const struct census *census)
{
	uint32_t *numbers = checked_calloc(census->member_count, sizeof(*numbers));

	for (size_t i = 0; i < census->member_count; i++)
		numbers[i] = pool_baseline__member(baseline, &census->members[i].process);
	return numbers;
}

void census__take(struct census *census)
{
	struct look look = {
		.census = census,
		.window = {
			.members = census->members,
			.member_count = census->member_count,
			.frames = census->frames,
			.can_scan = census->can_scan,
			.every = census->every,
			.start = census->start,
			.seats = checked_calloc(census->member_count, sizeof(struct pool_seat)),
		},
		.seen = checked_calloc(census->member_count + 1, sizeof(struct verdict)),
	};

	if (census->baseline)
		look.numbers = numbers_in(census->baseline, census);
	pool_groups__new(&look.groups, census->member_count);
	contents__new(&look.contents, census->member_count);
	frames__forget(census->frames);
	survey(&look);
	search_elsewhere(&look);
	frames__forget(census->frames);
	count(&look);
	census->moved_full = look.moved.full;
	pool_groups__release(&look.groups);
	contents__release(&look.contents);
	moved_frames__release(&look.moved);
	free(look.numbers);
	free(look.window.seats);
	free(look.seen);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_flow_cross_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/page.h"

enum { NOBODY = UINT32_MAX };
enum { STEPS_MOST = 1 << 27 }; /* of all pages; more than that take too long */

/* A copy, or the birth or end of a member. */
struct step {
	uint64_t page; /* of a copy */
	uint64_t ns;
	uint32_t member;
	bool is_birth;
};

/* Who has which frame of one page, and how many have each. */
struct page_history {
	uint32_t *frames; /* by member; NOBODY: it has none */
	uint32_t *holders; /* by frame */
	bool *assumed; /* by member: it must have filled the page before it forked */
	page_entry *numbers; /* of the frames that there were at the beginning */
	uint32_t frame_count;
	uint64_t freed;
};

struct cross_check {
	const struct flow_readings *readings;
	struct step *copies; /* by page, then time */
	size_t copy_count;
	struct step *lives; /* births and ends, by time */
	size_t life_count;
	struct page_history page;
	uint64_t *assumed; /* by member: such pages that it has no more; followed by their frames */
	uint64_t *remapped; /* by member: pages at another address than before (mremap), copied there */
	uint64_t freed; /* pages that nobody has any more */
};

static bool is_own(const struct page_set *set, uint64_t page)
{
	page_entry entry = page_set__find(set, page);

	return entry && !(entry & PAGE_ENTRY_SHARED);
}

bool flow_copy__is_before(const struct workers_flow *flow, const struct flow_copy *copy, const struct page_set *set)
{
	uint64_t ns = flow->begin_ns + copy->ns;

	if (ns < set->begin_ns || ns > set->end_ns)
		return ns < set->begin_ns;
	return is_own(set, copy->address / page_bytes);
}

/* Of a pool that was there before: those are counted from their first reading on. */
static bool is_old(const struct cross_check *cross_check, size_t member)
{
	return cross_check->readings->attached && cross_check->readings->flow->members[member].born_ns == ABSENT;
}

/* Else all begins with what the master had at its first fork. */
static bool is_origin(const struct cross_check *cross_check, size_t member)
{
	return !cross_check->readings->attached && cross_check->readings->flow->members[member].born_ns == ABSENT;
}

static bool lives(const struct cross_check *cross_check, size_t member)
{
	return cross_check->readings->flow->members[member].ended_ns == ABSENT;
}

static int by_time(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	return (a->ns > b->ns) - (a->ns < b->ns);
}

static int by_page(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	return a->page == b->page ? by_time(left, right) : a->page < b->page ? -1 : 1;
}

/* Between the first reading of the pool and the last. */
static void find_copies(struct cross_check *cross_check)
{
	const struct workers_flow *flow = cross_check->readings->flow;

	cross_check->copies = checked_calloc(flow->copy_count, sizeof(*cross_check->copies));
	for (size_t i = 0; i < flow->copy_count; i++) {
		const struct flow_copy *copy = &flow->copies[i];
		const struct watched *watched = watched_of(cross_check->readings, copy->member);

		if ((is_old(cross_check, copy->member) && flow_copy__is_before(flow, copy, &watched->before)) ||
		    (lives(cross_check, copy->member) && !flow_copy__is_before(flow, copy, &watched->after)))
			continue;
		cross_check->copies[cross_check->copy_count++] = (struct step){
			.page = copy->address / page_bytes, .ns = copy->ns, .member = copy->member,
		};
	}
	qsort(cross_check->copies, cross_check->copy_count, sizeof(*cross_check->copies), by_page);
}

static void find_lives(struct cross_check *cross_check)
{
	const struct workers_flow *flow = cross_check->readings->flow;

	cross_check->lives = checked_calloc(2 * flow->member_count, sizeof(*cross_check->lives));
	for (size_t i = 0; i < flow->member_count; i++) {
		const struct flow_member *member = &flow->members[i];

		if (member->born_ns != ABSENT)
			cross_check->lives[cross_check->life_count++] = (struct step){
				.ns = member->born_ns, .member = i, .is_birth = true,
			};
		if (member->ended_ns != ABSENT)
			cross_check->lives[cross_check->life_count++] =
				(struct step){ .ns = member->ended_ns, .member = i };
	}
	qsort(cross_check->lives, cross_check->life_count, sizeof(*cross_check->lives), by_time);
}

static void hold(struct page_history *page, size_t member, uint32_t frame)
{
	if (frame == page->frame_count)
		page->holders[page->frame_count++] = 0;
	page->holders[frame]++;
	page->frames[member] = frame;
}

static void let_go(struct page_history *page, size_t member)
{
	uint32_t frame = page->frames[member];

	page->frames[member] = NOBODY;
	if (frame != NOBODY)
		page->freed += !--page->holders[frame];
}

/* As it was at the first reading. */
static void begin_page(struct cross_check *cross_check, uint64_t number)
{
	struct page_history *page = &cross_check->page;

	page->frame_count = 0;
	for (size_t i = 0; i < cross_check->readings->flow->member_count; i++) {
		page_entry entry = is_old(cross_check, i)
					   ? page_set__find(&watched_of(cross_check->readings, i)->before, number)
					   : 0;
		uint32_t frame = 0;

		page->frames[i] = NOBODY;
		page->assumed[i] = false;
		if (!entry)
			continue;
		while (frame < page->frame_count && !page_entry__has_same_frame(page->numbers[frame], entry))
			frame++;
		page->numbers[frame] = entry;
		hold(page, i, frame);
	}
}

/* A page that parent or child will copy was there at the birth, be it filled since the first reading. */
static void be_born(struct cross_check *cross_check, uint32_t child, const struct step *copies, size_t count)
{
	struct page_history *page = &cross_check->page;
	uint32_t parent = cross_check->readings->flow->members[child].parent;

	if (parent == FLOW_NO_MEMBER)
		return;
	for (size_t i = 0; i < count && page->frames[parent] == NOBODY; i++) {
		if (copies[i].member != parent && copies[i].member != child)
			continue;
		hold(page, parent, page->frame_count);
		page->assumed[parent] = !is_origin(cross_check, parent);
	}
	if (page->frames[parent] != NOBODY)
		hold(page, child, page->frames[parent]);
}

/* Births, ends and the copies of one page, in the order of time; then what the last reading says. */
static void follow_page(struct cross_check *cross_check, const struct step *copies, size_t count)
{
	struct page_history *page = &cross_check->page;
	size_t copy = 0, life = 0;

	begin_page(cross_check, copies->page);
	while (copy < count || life < cross_check->life_count) {
		bool is_copy = life == cross_check->life_count ||
			       (copy < count && copies[copy].ns <= cross_check->lives[life].ns);
		const struct step *step = is_copy ? &copies[copy++] : &cross_check->lives[life++];

		if (!is_copy && step->is_birth) {
			be_born(cross_check, step->member, copies + copy, count - copy);
			continue;
		}
		if (is_copy && page->frames[step->member] == NOBODY)
			cross_check->remapped[step->member]++;
		let_go(page, step->member);
		if (is_copy)
			hold(page, step->member, page->frame_count);
	}
	for (size_t i = 0; i < cross_check->readings->flow->member_count; i++) {
		if (lives(cross_check, i) && page_set__find(&watched_of(cross_check->readings, i)->after, copies->page))
			continue;
		let_go(page, i);
		cross_check->assumed[i] += page->assumed[i];
	}
	cross_check->freed += page->freed;
	page->freed = 0;
}

static void follow_pages(struct cross_check *cross_check)
{
	size_t length;

	for (size_t i = 0; i < cross_check->copy_count; i += length) {
		for (length = 1; i + length < cross_check->copy_count; length++)
			if (cross_check->copies[i + length].page != cross_check->copies[i].page)
				break;
		follow_page(cross_check, &cross_check->copies[i], length);
	}
}

/* Has a member born since inherited it, and has it still? */
static bool is_inherited(const struct cross_check *cross_check, page_entry entry)
{
	for (size_t i = 0; i < cross_check->readings->flow->member_count; i++) {
		page_entry now = 0;

		if (!is_old(cross_check, i) && !is_origin(cross_check, i))
			now = page_set__find(&watched_of(cross_check->readings, i)->after, page_entry__page(entry));
		if (now && (now & PAGE_ENTRY_SHARED || page_entry__has_same_frame(now, entry)))
			return true;
	}
	return false;
}

/*
 * The pages of the first reading, all members side by side; frames may have moved since, so only pages tell who stays.
 */
struct first_pages {
	size_t *next; /* by member: in its set */
	size_t *after; /* the same in the last reading */
	page_entry *list; /* of the page that is looked at, those that count */
	bool *stays; /* by entry: who had it has a page there still */
	size_t count;
};

static bool counts_at_first(const struct cross_check *cross_check, size_t member, page_entry entry)
{
	return is_old(cross_check, member) || (is_origin(cross_check, member) && entry & PAGE_ENTRY_SHARED);
}

/* Goes to the lowest page that is left. False: there is none. */
static bool next_page(const struct cross_check *cross_check, struct first_pages *first, uint64_t *page)
{
	const size_t members = cross_check->readings->flow->member_count;

	*page = UINT64_MAX;
	for (size_t i = 0; i < members; i++) {
		const struct page_set *set = &watched_of(cross_check->readings, i)->before;

		while (first->next[i] < set->count && !counts_at_first(cross_check, i, set->list[first->next[i]]))
			first->next[i]++;
		if (first->next[i] < set->count && page_entry__page(set->list[first->next[i]]) < *page)
			*page = page_entry__page(set->list[first->next[i]]);
	}
	first->count = 0;
	for (size_t i = 0; i < members && *page != UINT64_MAX; i++) {
		const struct watched *watched = watched_of(cross_check->readings, i);
		const struct page_set *set = &watched->before;

		if (first->next[i] == set->count || page_entry__page(set->list[first->next[i]]) != *page)
			continue;
		first->list[first->count] = set->list[first->next[i]++];
		first->stays[first->count++] = page_set__seek(&watched->after, *page, &first->after[i]);
	}
	return *page != UINT64_MAX;
}

/* Has nobody a page there any more of those that had this frame? Asked once for each frame. */
static bool is_gone(const struct first_pages *first, size_t entry)
{
	for (size_t i = 0; i < first->count; i++) {
		if (!page_entry__has_same_frame(first->list[i], first->list[entry]))
			continue;
		if (i < entry || first->stays[i])
			return false;
	}
	return true;
}

/* Pages that were there at the first reading, that nobody copied, and that nobody has any more. */
static void count_gone(struct cross_check *cross_check)
{
	const size_t members = cross_check->readings->flow->member_count;
	struct first_pages first = {
		.next = checked_calloc(members, sizeof(*first.next)),
		.after = checked_calloc(members, sizeof(*first.after)),
		.list = checked_calloc(members, sizeof(*first.list)),
		.stays = checked_calloc(members, sizeof(*first.stays)),
	};
	size_t copy = 0;
	uint64_t page;

	while (next_page(cross_check, &first, &page)) {
		while (copy < cross_check->copy_count && cross_check->copies[copy].page < page)
			copy++;
		if (copy < cross_check->copy_count && cross_check->copies[copy].page == page)
			continue;
		for (size_t i = 0; i < first.count; i++)
			cross_check->freed += is_gone(&first, i) && !is_inherited(cross_check, first.list[i]);
	}
	free(first.next);
	free(first.after);
	free(first.list);
	free(first.stays);
}

static uint64_t count_common(const struct page_set *left, const struct page_set *right)
{
	uint64_t common = 0;

	for (size_t i = 0, j = 0; i < left->count && j < right->count;) {
		uint64_t a = page_entry__page(left->list[i]), b = page_entry__page(right->list[j]);

		common += a == b;
		i += a <= b;
		j += b <= a;
	}
	return common;
}

static int by_frame(const void *left, const void *right)
{
	page_entry a = *(const page_entry *)left & (PAGE_ENTRY_SHARED - 1);
	page_entry b = *(const page_entry *)right & (PAGE_ENTRY_SHARED - 1);

	return (a > b) - (a < b);
}

/*
 * Shared pages that have another address than before, the frame being the same. (One that is nobody
 * else's may be a frame that was freed and filled again: as good as moved.)
 */
static uint64_t count_remapped(const struct page_set *before, const struct page_set *after)
{
	page_entry *frames;
	uint64_t remapped = 0;
	size_t count = 0;

	if (count_common(before, after) == after->count) /* no page is new: there is nothing to sort */
		return 0;
	frames = checked_calloc(before->count, sizeof(*frames));
	for (size_t i = 0; i < before->count; i++)
		if (before->list[i] & PAGE_ENTRY_SHARED)
			frames[count++] = before->list[i];
	qsort(frames, count, sizeof(*frames), by_frame);
	for (size_t i = 0; i < after->count; i++)
		remapped += after->list[i] & PAGE_ENTRY_SHARED &&
			 !page_set__find(before, page_entry__page(after->list[i])) &&
			 bsearch(&after->list[i], frames, count, sizeof(*frames), by_frame);
	free(frames);
	return remapped;
}

/* Of the pages that it filled, those that are not there at the end. */
static int64_t filled_and_gone(const struct cross_check *cross_check, size_t number)
{
	const struct flow_member *member = &cross_check->readings->flow->members[number];
	const struct watched *watched = watched_of(cross_check->readings, number);
	uint64_t stayed;

	if (!lives(cross_check, number))
		return member->filled - cross_check->assumed[number];
	stayed = is_old(cross_check, number) ? count_common(&watched->before, &watched->after)
				       : member->shared_before - member->unmapped;
	return member->filled + stayed + cross_check->remapped[number] +
	       count_remapped(&watched->before, &watched->after) - watched->after.count - cross_check->assumed[number];
}

static bool is_below(const void *steps, size_t index, const void *page)
{
	return ((const struct step *)steps)[index].page < *(const uint64_t *)page;
}

/* Has the origin copied the page? Without having it any more it did so before it was read: known by that. */
static bool is_copied_by(const struct cross_check *cross_check, size_t origin, uint64_t page)
{
	for (size_t i = bisect(cross_check->copies, cross_check->copy_count, is_below, &page);
	     i < cross_check->copy_count && cross_check->copies[i].page == page; i++)
		if (cross_check->copies[i].member == origin)
			return true;
	return false;
}

/* Has a child of the origin that was born after that one the same frame there? Both have inherited it. */
static bool is_inherited_by_others(const struct cross_check *cross_check, size_t first, page_entry entry)
{
	const struct flow_member *members = cross_check->readings->flow->members;

	for (size_t i = first + 1; i < cross_check->readings->flow->member_count; i++) {
		page_entry other = 0;

		if (members[i].parent == members[first].parent)
			other = page_set__find(&watched_of(cross_check->readings, i)->before, page_entry__page(entry));
		if (other && page_entry__has_same_frame(other, entry))
			return true;
	}
	return false;
}

/*
 * Pages that the origin had at its first fork, and had given up when it was read: its first child tells. (Those
 * that one child alone has are in no sum of the beginning, and are not given back either.)
 */
static uint64_t count_given_up(const struct cross_check *cross_check, size_t origin)
{
	const struct page_set *own = &watched_of(cross_check->readings, origin)->before, *child;
	const struct workers_flow *flow = cross_check->readings->flow;
	uint64_t given_up = 0;
	size_t first = 0;

	while (first < flow->member_count && flow->members[first].parent != origin)
		first++;
	if (first == flow->member_count)
		return 0;
	child = &watched_of(cross_check->readings, first)->before;
	for (size_t i = 0; i < child->count; i++)
		given_up += child->list[i] & PAGE_ENTRY_SHARED &&
			    !page_set__find(own, page_entry__page(child->list[i])) &&
			    is_inherited_by_others(cross_check, first, child->list[i]) &&
			    !is_copied_by(cross_check, origin, page_entry__page(child->list[i]));
	return given_up;
}

/* Sum of what the kernel says of all members at one time; ABSENT: not known of one. */
static uint64_t pss_anon(const struct cross_check *cross_check, bool before)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < cross_check->readings->flow->member_count; i++) {
		const struct watched *watched = watched_of(cross_check->readings, i);
		uint64_t one = before ? watched->before.pss_anon : watched->after.pss_anon;

		if (before && is_origin(cross_check, i)) /* it shared all of it */
			one = (cross_check->readings->flow->members[i].shared_before +
			       count_given_up(cross_check, i)) * page_bytes;
		else if (before ? !is_old(cross_check, i) : !lives(cross_check, i))
			continue;
		sum = sum == ABSENT || one == ABSENT ? ABSENT : sum + one;
	}
	return sum;
}

/* Was everybody read who must have been, does somebody live, and are there few enough pages? */
static bool can_follow(const struct cross_check *cross_check)
{
	const struct workers_flow *flow = cross_check->readings->flow;
	bool some_live = false;

	for (size_t i = 0; i < flow->member_count; i++) {
		const struct watched *watched = watched_of(cross_check->readings, i);

		if ((lives(cross_check, i) && !page_set__is_read(&watched->after)) ||
		    ((lives(cross_check, i) || flow->members[i].born_ns == ABSENT) &&
		     !page_set__is_read(&watched->before)))
			return false;
		some_live |= lives(cross_check, i);
	}
	return some_live && cross_check->copy_count * (cross_check->life_count + flow->member_count) < STEPS_MOST;
}

static void follow(struct cross_check *cross_check)
{
	const size_t members = cross_check->readings->flow->member_count;

	cross_check->page.frames = checked_calloc(members, sizeof(uint32_t));
	cross_check->page.holders = checked_calloc(
		members + cross_check->copy_count + cross_check->life_count, sizeof(uint32_t));
	cross_check->page.numbers = checked_calloc(members, sizeof(page_entry));
	cross_check->page.assumed = checked_calloc(members, sizeof(bool));
	cross_check->assumed = checked_calloc(members, sizeof(uint64_t));
	cross_check->remapped = checked_calloc(members, sizeof(uint64_t));
	follow_pages(cross_check);
	count_gone(cross_check);
	free(cross_check->page.frames);
	free(cross_check->page.holders);
	free(cross_check->page.numbers);
	free(cross_check->page.assumed);
}

void flow_cross_check__make(const struct flow_readings *readings)
{
	struct cross_check cross_check = { .readings = readings };
	struct workers_flow *flow = readings->flow;
	uint64_t filled = flow->unattributed;
	int64_t given_back;

	flow->cross_check = (struct flow_cross_check){
		.before_bytes = ABSENT, .after_bytes = ABSENT, .copied_bytes = ABSENT,
		.filled_bytes = ABSENT, .given_back_bytes = ABSENT,
	};
	find_copies(&cross_check);
	find_lives(&cross_check);
	if (can_follow(&cross_check)) {
		follow(&cross_check);
		given_back = cross_check.freed + flow->unattributed;
		for (size_t i = 0; i < flow->member_count; i++) {
			given_back += filled_and_gone(&cross_check, i);
			filled += flow->members[i].filled;
		}
		flow->cross_check.before_bytes = pss_anon(&cross_check, true);
		flow->cross_check.after_bytes = pss_anon(&cross_check, false);
		flow->cross_check.copied_bytes = cross_check.copy_count * page_bytes;
		flow->cross_check.filled_bytes = filled * page_bytes;
		/* Negative if pages came without a fault: then the totals do not agree. */
		flow->cross_check.given_back_bytes = given_back > 0 ? given_back * page_bytes : 0;
	}
	flow->cross_check.matches = workers_flow__cross_check_matches(flow);
	free(cross_check.copies);
	free(cross_check.lives);
	free(cross_check.assumed);
	free(cross_check.remapped);
}

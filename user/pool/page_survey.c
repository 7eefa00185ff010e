// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/page_survey.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "pool/contents.h"
#include "pool/pool_groups.h"
#include "pool/remapped_frames.h"

/* Bytes beyond one page at an address: with inherited pages alone, and with those of unknown origin. */
struct page_cost {
	uint64_t inherited, all;
};

/* All that is needed at once. */
struct look {
	struct page_survey *survey;
	struct pool_window window;
	struct pool_groups groups; /* of the page that is looked at */
	struct remapped_frames remapped;
	struct contents contents;
	bool asks; /* the contents of a page of this window are wanted */
	bool is_new[WINDOW_PAGES]; /* these are of new memory */
	uint64_t new_left; /* bytes of it that may still be compared */
	struct page_cost cost[WINDOW_PAGES];
	struct verdict *seen; /* different contents at one address; room for one of each view */
};

static uint32_t number_of(const struct look *look, const struct member_view *view)
{
	return view->member - look->survey->members;
}

static bool is_numbered(uint64_t frame)
{
	return frame < FRAME_ALONE;
}

/* The first pass: which mappings were there at a fork, and which pages to look for elsewhere. */
static void survey_page(struct look *look, unsigned int page)
{
	const struct pool_group *proven = pool_groups__proven(&look->groups);
	const struct pool_window *window = &look->window;

	for (size_t i = 0; i < look->groups.count; i++) {
		const struct pool_group *group = &look->groups.list[i];
		const struct member_view *view = &window->views[group->first];

		if (group->members == 1 && !group->mappings && is_numbered(group->frame) &&
		    frames__mappings(window->frames, group->frame) != 1)
			remapped_frames__add(&look->remapped, group->frame, number_of(look, view));
	}
	for (size_t i = 0; proven && i < window->view_count; i++) {
		const struct member_view *view = &window->views[i];

		if (look->groups.of[i] != NO_GROUP_HERE &&
		    pool_vma__has_backing_of(member_view__vma(view, page),
					     member_view__vma(&window->views[proven->first], page)))
			member_view__vma(view, page)->proven = true;
	}
}

static void survey_windows(struct look *look)
{
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window)) {
		for (unsigned int page = 0; page < WINDOW_PAGES; page++) {
			pool_groups__find(&look->groups, &look->window, page);
			survey_page(look, page);
		}
	}
	remapped_frames__sort(&look->remapped);
}

/* The second pass, if a page was alone with its frame at its address and yet mapped elsewhere. */
static void search_elsewhere(struct look *look)
{
	const struct pool_window *window = &look->window;

	if (!look->remapped.count)
		return;
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window))
		for (size_t i = 0; i < window->view_count; i++)
			for (unsigned int page = 0; page < WINDOW_PAGES; page++)
				if (window->views[i].frame[page] && is_numbered(window->views[i].frame[page]))
					remapped_frames__see(&look->remapped, window->views[i].frame[page],
							     number_of(look, &window->views[i]));
}

/* Adds the bytes of a page / mappings, as the kernel does for Pss. */
static void cross_check_frame(struct look *look, struct pool_group *group, struct member_view *view)
{
	if (!is_numbered(group->frame))
		return;
	if (!group->mappings)
		group->mappings = frames__mappings(look->window.frames, group->frame);
	if (!group->mappings)
		group->mappings = group->members;
	view->member->counted += ((uint64_t)page_bytes << 12) / group->mappings;
}

static void count_huge(struct worker_pages *counts, const struct member_view *view, unsigned int page)
{
	if (!view->huge_known)
		counts->huge = ABSENT;
	else if (counts->huge != ABSENT)
		counts->huge += view->huge[page];
}

/* What is known of one address. */
struct address {
	unsigned int page;
	const struct pool_group *proven; /* NULL: nobody is seen to share by a fork */
	uint32_t reference; /* view whose page is compared with; NO_VIEW: the master has none */
	uint32_t first_new; /* view whose new page is compared with those of others there; NO_VIEW: none yet */
	struct page_cost frames; /* bytes of frames, that of the reference included */
};

static const struct pool_vma *reference_vma(const struct look *look, const struct address *address)
{
	return member_view__vma(&look->window.views[address->reference], address->page);
}

static void set_reference(struct look *look, struct address *address)
{
	const struct member_view *first = look->window.views;

	if (first->is_master && frame__is_page(first->frame[address->page]))
		address->reference = 0;
	else if (address->proven)
		address->reference = address->proven->first;
	else if (!look->survey->has_master && look->groups.count > 1)
		address->reference = look->groups.list->first;
	else
		address->reference = NO_VIEW;
}

/* Was this mapping there when the master's, or that of the group, was inherited? */
static bool has_partner(const struct look *look, const struct address *address, const struct member_view *view)
{
	return address->reference != NO_VIEW &&
	       pool_vma__has_backing_of(member_view__vma(view, address->page), reference_vma(look, address));
}

/* Is the page shown to be inherited at this address itself? */
static bool is_proven(const struct look *look, const struct address *address, const struct member_view *view)
{
	return address->proven &&
	       pool_vma__has_backing_of(member_view__vma(view, address->page),
					member_view__vma(&look->window.views[address->proven->first], address->page));
}

/* Was the page there at a fork, as far as can be seen? */
static bool is_inherited(const struct look *look, const struct address *address, const struct member_view *view)
{
	return is_proven(look, address, view) || member_view__vma(view, address->page)->proven;
}

/* A frame that merging has put at several addresses is divided among them, as the kernel does for Pss. */
static uint64_t bytes_of(const struct look *look, const struct pool_group *group)
{
	if (!is_numbered(group->frame) || group->mappings <= group->members ||
	    !frames__is_merged(look->window.frames, group->frame))
		return page_bytes;
	return page_bytes * group->members / group->mappings;
}

static void add_frame(const struct look *look, struct address *address, size_t view, bool inherited)
{
	const uint64_t bytes = bytes_of(look, &look->groups.list[look->groups.of[view]]);

	address->frames.all += bytes;
	address->frames.inherited += inherited ? bytes : 0;
}

/* How the page of that view, which stands for its group, differs from that of reference. */
static struct verdict *ask(struct look *look, struct address *address, size_t view)
{
	struct verdict *verdict = contents__ask(&look->contents, view, address->page, address->reference);

	verdict->inherited = is_inherited(look, address, &look->window.views[view]);
	if (view != address->reference)
		add_frame(look, address, view, verdict->inherited);
	look->asks = true;
	return verdict;
}

static const uint64_t new_most = 4ull << 30;

/* New memory is compared among workers, if nothing else is compared there. */
static void ask_new(struct look *look, struct address *address, size_t view)
{
	const struct member_view *views = look->window.views;

	if (address->reference != NO_VIEW)
		return;
	if (address->first_new == NO_VIEW) {
		address->first_new = view;
	} else if (pool_vma__has_backing_of(member_view__vma(&views[view], address->page),
					    member_view__vma(&views[address->first_new], address->page))) {
		if (look->new_left < (uint64_t)page_bytes) {
			look->survey->new_is_much = true;
			return;
		}
		look->new_left -= page_bytes;
		contents__ask(&look->contents, view, address->page, address->first_new);
		look->is_new[address->page] = look->asks = true;
	}
}

static void count_own(struct look *look, struct address *address, size_t index)
{
	const struct member_view *view = &look->window.views[index];
	struct worker_pages *counts = member_view__counts(view, address->page);
	const struct pool_vma *vma = member_view__vma(view, address->page);

	counts->own++;
	if (view->is_master)
		return;
	if (!has_partner(look, address, view)) {
		counts->file_private += vma->inode != 0;
		counts->new += !vma->inode;
		ask_new(look, address, index);
		return;
	}
	if (is_proven(look, address, view))
		counts->proven++;
	else if (vma->proven)
		counts->assumed++;
	else
		counts->unknown_origin++;
	ask(look, address, index)->alone = true;
}

static void count_view(struct look *look, struct address *address, size_t index)
{
	struct member_view *view = &look->window.views[index];
	struct pool_group *group = &look->groups.list[look->groups.of[index]];
	struct worker_pages *counts = member_view__counts(view, address->page);
	bool together = group->members > 1 || group->frame == FRAME_COMMON;

	cross_check_frame(look, group, view);
	count_huge(counts, view, address->page);
	if (group->frame == FRAME_UNKNOWN) {
		counts->unknown++;
	} else if (together || remapped_frames__is_shared(&look->remapped, group->frame)) {
		counts->shared++;
		counts->remapped += !together;
		counts->merged += group->merged || (!together && frames__is_merged(look->window.frames, group->frame));
	} else {
		count_own(look, address, index);
	}
}

static void count_absent(struct look *look, const struct address *address, size_t index)
{
	const struct member_view *view = &look->window.views[index];

	if (view->vma[address->page] == NO_VMA)
		return;
	if (view->frame[address->page] == FRAME_SWAPPED)
		member_view__counts(view, address->page)->swapped++;
	else if (!view->is_master && has_partner(look, address, view) && is_inherited(look, address, view))
		member_view__counts(view, address->page)->dropped++;
}

/* Do several members have the frame, here or, after merging, elsewhere? Then it is no page of one's own. */
static bool is_common(const struct look *look, const struct pool_group *group)
{
	if (group->members > 1 || group->frame == FRAME_COMMON)
		return group->frame != FRAME_UNKNOWN;
	return remapped_frames__is_shared(&look->remapped, group->frame) &&
	       frames__is_merged(look->window.frames, group->frame);
}

/* One page of each group whose frame is another than that of the reference. */
static void ask_groups(struct look *look, struct address *address)
{
	const struct member_view *views = look->window.views;

	if (address->reference == NO_VIEW)
		return;
	add_frame(look, address, address->reference, true);
	for (size_t i = 0; i < look->groups.count; i++) {
		const struct pool_group *group = &look->groups.list[i];

		if (group->frame == views[address->reference].frame[address->page])
			continue;
		/* Where the reference's frame is not known, those that share may share it. */
		if (group->frame == FRAME_COMMON && views[address->reference].frame[address->page] == FRAME_UNKNOWN)
			continue;
		if (is_common(look, group) && has_partner(look, address, &views[group->first]))
			ask(look, address, group->first);
	}
}

/* What the address costs beyond one page. Merging across addresses may leave it less than that. */
static void take_cost(struct look *look, const struct address *address)
{
	const struct page_cost *frames = &address->frames;

	look->cost[address->page] = (struct page_cost){
		.inherited = frames->inherited > page_bytes ? frames->inherited - page_bytes : 0,
		.all = frames->all > page_bytes ? frames->all - page_bytes : 0,
	};
	look->survey->extra += look->cost[address->page].inherited;
	look->survey->perhaps_extra += look->cost[address->page].all - look->cost[address->page].inherited;
}

/* One in so many shared pages is looked at. */
enum { KEPT_STEP = 8 };

/* What holds objects of Python, and is still shared. */
static void count_kept(struct look *look, const struct address *address)
{
	const struct pool_window *window = &look->window;
	enum page_objects objects;

	if (address->page % KEPT_STEP || !address->proven ||
	    member_view__vma(&window->views[address->proven->first], address->page)->inode ||
	    pread(window->views[address->proven->first].member->memory, look->contents.buffer, page_bytes,
		  window->number * WINDOW_BYTES + address->page * page_bytes) != page_bytes)
		return;
	objects = python_types__look(&look->contents.types, look->contents.buffer);
	for (size_t i = 0; i < window->view_count; i++) {
		struct worker_pages *counts;

		if (look->groups.of[i] != address->proven - look->groups.list)
			continue; /* it may even have no mapping there */
		counts = member_view__counts(&window->views[i], address->page);
		counts->kept_objects += objects == OBJECTS_COLLECTED ? KEPT_STEP : 0;
		counts->kept_plain += objects == OBJECTS_PLAIN ? KEPT_STEP : 0;
	}
}

static void count_page(struct look *look, unsigned int page)
{
	struct address address = { .page = page, .first_new = NO_VIEW };

	pool_groups__find(&look->groups, &look->window, page);
	address.proven = pool_groups__proven(&look->groups);
	set_reference(look, &address);
	for (size_t i = 0; i < look->window.view_count; i++) {
		if (look->groups.of[i] != NO_GROUP_HERE)
			count_view(look, &address, i);
		else
			count_absent(look, &address, i);
	}
	ask_groups(look, &address);
	if (look->contents.types.end)
		count_kept(look, &address);
	take_cost(look, &address);
}

static void count_class(struct worker_pages *counts, const struct verdict *verdict)
{
	struct page_classes *classes = verdict->inherited ? &counts->unshared : &counts->perhaps;

	classes->identical += verdict->class == CONTENTS_IDENTICAL;
	classes->few_words += verdict->class == CONTENTS_FEW_WORDS;
	classes->different += verdict->class == CONTENTS_DIFFERENT;
	classes->unstable += verdict->class == CONTENTS_UNSTABLE;
	classes->unread += verdict->class == CONTENTS_UNREAD;
	counts->plain_objects += verdict->objects == OBJECTS_PLAIN;
	counts->collected_objects += verdict->objects == OBJECTS_COLLECTED;
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

/* Frames - different contents, of what could be read; at most what the address costs. */
static uint64_t mergeable(const struct look *look, size_t count, uint64_t cost)
{
	uint64_t different = 0, bytes;

	if (!count)
		return 0;
	qsort(look->seen, count, sizeof(*look->seen), by_hash);
	for (size_t i = 0; i < count; i++)
		different += !i || by_hash(&look->seen[i - 1], &look->seen[i]);
	bytes = (count - different) * page_bytes;
	return bytes < cost ? bytes : cost;
}

/* Each frame once, that of the reference first. Returns how many there are by then. */
static size_t gather(struct look *look, unsigned int page, bool inherited, size_t seen)
{
	for (size_t i = 0; i < look->window.view_count; i++) {
		const struct verdict *verdict = contents__verdict(&look->contents, i, page);

		if (i != look->contents.from[page] && verdict->inherited == inherited && has_stable_contents(verdict))
			look->seen[seen++] = *verdict;
	}
	return seen;
}

static void count_mergeable(struct look *look, unsigned int page)
{
	const struct verdict *reference = &look->contents.of_reference[page];
	const struct page_cost *cost = &look->cost[page];
	uint64_t inherited;
	size_t seen = 0;

	if (has_stable_contents(reference))
		look->seen[seen++] = *reference;
	seen = gather(look, page, true, seen);
	inherited = mergeable(look, seen, cost->inherited);
	look->survey->mergeable += inherited;
	seen = gather(look, page, false, seen);
	look->survey->perhaps_mergeable += mergeable(look, seen, cost->all) - inherited;
}

/*
 * Without a master a page of a worker is the reference. It differs from those of the others as the one that
 * is most like it does.
 */
static void judge_reference(struct look *look, unsigned int page)
{
	struct verdict *own = contents__verdict(&look->contents, look->contents.from[page], page);
	const struct verdict *closest = NULL;

	if (own->class != CONTENTS_IDENTICAL || !own->alone)
		return;
	for (size_t i = 0; i < look->window.view_count; i++) {
		const struct verdict *verdict = contents__verdict(&look->contents, i, page);

		if (verdict != own && has_stable_contents(verdict) && (!closest || verdict->class < closest->class))
			closest = verdict;
	}
	own->class = closest ? closest->class : CONTENTS_UNREAD;
	if (!closest)
		return;
	own->changed = closest->changed;
	own->near = closest->near;
	own->age = closest->age;
}

static size_t gather_new(struct look *look, unsigned int page)
{
	size_t seen = 0;

	for (size_t i = 0; i <= look->window.view_count; i++) {
		const struct verdict *verdict = i < look->window.view_count ?
							contents__verdict(&look->contents, i, page) :
							&look->contents.of_reference[page];

		if (has_stable_contents(verdict) && !verdict->blank)
			look->seen[seen++] = *verdict;
	}
	return seen;
}

/* New memory whose contents several workers have. */
static void judge_new(struct look *look, unsigned int page)
{
	const size_t count = gather_new(look, page);
	size_t length;

	qsort(look->seen, count, sizeof(*look->seen), by_hash);
	for (size_t i = 0; i < count; i += length) {
		for (length = 1; i + length < count && !by_hash(&look->seen[i], &look->seen[i + length]);)
			length++;
		look->survey->repeated += (length - 1) * page_bytes;
		for (size_t k = i; length > 1 && k < i + length; k++)
			member_view__counts(&look->window.views[look->seen[k].view], page)->repeated++;
	}
}

static void judge_page(struct look *look, unsigned int page)
{
	if (look->contents.of_reference[page].class == CONTENTS_NOT_ASKED)
		return;
	if (look->is_new[page]) {
		judge_new(look, page);
		return;
	}
	judge_reference(look, page);
	for (size_t i = 0; i < look->window.view_count; i++) {
		const struct verdict *verdict = contents__verdict(&look->contents, i, page);

		if (verdict->class == CONTENTS_NOT_ASKED || !verdict->alone)
			continue;
		count_class(member_view__counts(&look->window.views[i], page), verdict);
	}
	count_mergeable(look, page);
}

static void count_window(struct look *look)
{
	look->asks = false;
	memset(look->is_new, 0, sizeof(look->is_new));
	contents__begin(&look->contents, &look->window);
	for (unsigned int page = 0; page < WINDOW_PAGES; page++)
		count_page(look, page);
	if (!look->asks)
		return;
	contents__read(&look->contents, &look->window);
	for (unsigned int page = 0; page < WINDOW_PAGES; page++)
		judge_page(look, page);
}

/* The last pass. */
static void count(struct look *look)
{
	pool_window__rewind(&look->window);
	while (pool_window__next(&look->window))
		count_window(look);
}

void page_survey__take(struct page_survey *survey)
{
	struct look look = {
		.survey = survey,
		.window = {
			.members = survey->members,
			.member_count = survey->member_count,
			.has_master = survey->has_master,
			.frames = survey->frames,
			.can_scan = survey->can_scan,
			.views = checked_calloc(survey->member_count, sizeof(struct member_view)),
		},
		.seen = checked_calloc(survey->member_count + 1, sizeof(struct verdict)),
		.new_left = new_most,
	};

	pool_groups__new(&look.groups, survey->member_count);
	contents__new(&look.contents, survey->member_count);
	look.contents.types = (struct python_types){
		.memory = survey->members[0].memory,
		.pagemap = survey->members[0].pagemap,
		.start = survey->members[0].maps.python_start,
		.end = survey->members[0].maps.python_end,
	};
	frames__forget(survey->frames);
	survey_windows(&look);
	search_elsewhere(&look);
	frames__forget(survey->frames);
	count(&look);
	survey->remapped_full = look.remapped.full;
	pool_groups__release(&look.groups);
	contents__release(&look.contents);
	remapped_frames__release(&look.remapped);
	free(look.window.views);
	free(look.seen);
}

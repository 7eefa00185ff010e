// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/page_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/same.h"
#include "base/memory.h"
#include "base/text.h"

/* Names are searched for so far ahead: pages rarely move past more. */
enum { LOOK_AHEAD = 512 };

static const struct place *name_of(const struct page_strip *strip, size_t page)
{
	const struct anatomy_row *fault = strip->faults[page];

	return fault && fault->place.symbol ? &fault->place : NULL;
}

/* Does the same lie in both? */
static bool is_same_page(const struct page_strip *a, size_t x, const struct page_strip *b, size_t y)
{
	const struct place *left = name_of(a, x), *right = name_of(b, y);

	return left && right && left->symbol_offset / a->page_bytes == right->symbol_offset / b->page_bytes &&
	       !text__compare(left->section, right->section) && !strcmp(left->symbol, right->symbol);
}

static enum pair_change change_of(const struct strip_pair *pair, const struct page_pair *page)
{
	enum page_state states[PAIR_SIDES];

	if (page->at[0] == NO_PAGE)
		return PAIR_ONLY_SECOND;
	if (page->at[1] == NO_PAGE)
		return PAIR_ONLY_FIRST;
	for (int side = 0; side < PAIR_SIDES; side++)
		states[side] = pair->strips[side]->states[page->at[side]];
	if (states[0] == states[1])
		return PAIR_ALIKE;
	return states[0] == PAGE_UNKNOWN || states[1] == PAGE_UNKNOWN ? PAIR_UNKNOWN : PAIR_CHANGED;
}

static void add_page(struct strip_pair *pair, size_t first, size_t second)
{
	struct page_pair page = { .at = { first, second } };

	page.change = change_of(pair, &page);
	pair->pages = checked_grow(pair->pages, pair->count, sizeof(*pair->pages));
	pair->pages[pair->count++] = page;
}

/* Up to these, exclusively: in their order; what one side has more of comes last. */
static void pair_up_to(struct strip_pair *pair, size_t done[PAIR_SIDES], size_t first, size_t second)
{
	while (done[0] < first || done[1] < second) {
		size_t a = done[0] < first ? done[0]++ : NO_PAGE;
		size_t b = done[1] < second ? done[1]++ : NO_PAGE;

		add_page(pair, a, b);
	}
}

/* The next page of the second side in which the same lies; NO_PAGE: none is near. */
static size_t find_same(const struct strip_pair *pair, size_t page, size_t from)
{
	const struct page_strip *other = pair->strips[1];

	for (size_t i = from; name_of(pair->strips[0], page) && i < other->count &&
			      i < from + LOOK_AHEAD; i++)
		if (is_same_page(pair->strips[0], page, other, i))
			return i;
	return NO_PAGE;
}

/* The same part of a file that did not change, as far as names tell. */
static bool lie_alike(const struct strip_pair *pair)
{
	const struct page_strip *a = pair->strips[0], *b = pair->strips[1];
	bool alike = false, named = false;

	if (!a || !b || a->count != b->count || a->vma->offset != b->vma->offset)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		named |= name_of(a, i) && name_of(b, i);
		alike |= is_same_page(a, i, b, i);
	}
	return alike || !named;
}

static void pair_pages(struct strip_pair *pair)
{
	const bool in_order = lie_alike(pair);
	const size_t counts[PAIR_SIDES] = {
		pair->strips[0] ? pair->strips[0]->count : 0,
		pair->strips[1] ? pair->strips[1]->count : 0,
	};
	size_t done[PAIR_SIDES] = { 0, 0 };

	for (size_t page = 0; !in_order && counts[1] && page < counts[0]; page++) {
		size_t same = find_same(pair, page, done[1]);

		if (same != NO_PAGE)
			pair_up_to(pair, done, page, same);
		if (same != NO_PAGE)
			pair_up_to(pair, done, page + 1, same + 1);
	}
	pair_up_to(pair, done, counts[0], counts[1]);
}

static bool have_same_rights(const struct layout_vma *a, const struct layout_vma *b)
{
	return a->kind == b->kind && a->read == b->read && a->write == b->write && a->exec == b->exec;
}

static void add_strips(struct object_pair *pair, const struct page_strip *first,
		       const struct page_strip *second)
{
	struct strip_pair strips = { .strips = { first, second } };

	pair_pages(&strips);
	pair->strips = checked_grow(pair->strips, pair->count, sizeof(*pair->strips));
	pair->strips[pair->count++] = strips;
}

/* Strips of one object on one side. */
struct side {
	const struct page_strip *strips;
	size_t count;
};

static void pair_strips(struct object_pair *pair, const struct side sides[PAIR_SIDES])
{
	size_t next = 0;

	for (size_t i = 0; i < sides[0].count; i++) {
		const struct page_strip *strip = &sides[0].strips[i], *other = NULL;

		for (size_t k = next; k < sides[1].count && !other; k++)
			if (have_same_rights(strip->vma, sides[1].strips[k].vma))
				other = &sides[1].strips[k];
		for (; other && &sides[1].strips[next] < other; next++)
			add_strips(pair, NULL, &sides[1].strips[next]);
		next += other != NULL;
		add_strips(pair, strip, other);
	}
	for (; next < sides[1].count; next++)
		add_strips(pair, NULL, &sides[1].strips[next]);
}

static struct side side_at(const struct page_map *map, size_t first)
{
	return (struct side){ &map->strips[first], page_map__same_object(map, first) };
}

/* The strips of that object of another run. */
static struct side find(const struct run *run, const struct page_map *map, const struct run *of,
			uint32_t object)
{
	struct side side;

	for (size_t i = 0; i < map->count; i += side.count) {
		side = side_at(map, i);
		if (same_object(run, map->strips[i].vma->object, of, object))
			return side;
	}
	return (struct side){ NULL, 0 };
}

static void add_object(struct page_pairs *pairs, const struct side sides[PAIR_SIDES])
{
	struct object_pair *pair;

	pairs->objects = checked_grow(pairs->objects, pairs->count, sizeof(*pairs->objects));
	pair = &pairs->objects[pairs->count++];
	*pair = (struct object_pair){ 0 };
	for (int side = 0; side < PAIR_SIDES; side++)
		pair->objects[side] = sides[side].count ? sides[side].strips->vma->object : NO_OBJECT;
	pair_strips(pair, sides);
}

struct page_pairs page_pairs__of(const struct run *const runs[PAIR_SIDES],
				 const struct page_map maps[PAIR_SIDES])
{
	struct page_pairs pairs = { 0 };
	struct side own;

	for (int side = 0; side < PAIR_SIDES; side++)
		for (size_t i = 0; i < maps[side].count; i += own.count) {
			struct side sides[PAIR_SIDES];

			own = sides[side] = side_at(&maps[side], i);
			sides[!side] = find(runs[!side], &maps[!side], runs[side],
					    maps[side].strips[i].vma->object);
			if (!side || !sides[!side].count)
				add_object(&pairs, sides);
		}
	return pairs;
}

void object_pair__count(const struct object_pair *pair, uint64_t counts[PAIR_CHANGE_COUNT])
{
	memset(counts, 0, PAIR_CHANGE_COUNT * sizeof(*counts));
	for (size_t i = 0; i < pair->count; i++)
		for (size_t page = 0; page < pair->strips[i].count; page++)
			counts[pair->strips[i].pages[page].change]++;
}

void page_pairs__free(struct page_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		for (size_t k = 0; k < pairs->objects[i].count; k++)
			free(pairs->objects[i].strips[k].pages);
		free(pairs->objects[i].strips);
	}
	free(pairs->objects);
}

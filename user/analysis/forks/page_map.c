// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/page_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"

enum { PAGES_MOST = 1 << 16 };
enum { LOOKS_MOST = 64 }; /* mappings tried for a fault: hardly a page is mapped more often */

const char page_state_letters[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = '?',	[PAGE_UNTOUCHED] = '.', [PAGE_SHARED] = 's',
	[PAGE_MAPPED] = 'm',	[PAGE_OWN] = 'o',	[PAGE_BY_KERNEL] = 'K',
	[PAGE_BY_PROGRAM] = 'P', [PAGE_BY_LDSO] = 'L',
};

/* Fork copies page tables where the parent has pages of its own; the child faults in all others. */
enum page_state page_state__at_birth(const struct layout_vma *vma, char page)
{
	switch (page) {
	case 'a':
		return PAGE_SHARED;
	case 'f':
		return vma->anon_known && vma->anon ? PAGE_SHARED : PAGE_UNTOUCHED;
	default:
		return PAGE_UNTOUCHED;
	}
}

enum page_state page_state__by(const struct anatomy_row *row)
{
	static const enum page_state copied_by[ACTOR_COUNT] = {
		[ACTOR_LDSO] = PAGE_BY_LDSO,
		[ACTOR_PROGRAM] = PAGE_BY_PROGRAM,
		[ACTOR_KERNEL] = PAGE_BY_KERNEL,
	};

	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_FILE_COW:
		return copied_by[row->actor];
	case FAULT_COW_REUSE:
	case FAULT_ZERO_FILL:
		return PAGE_OWN;
	default:
		return PAGE_MAPPED;
	}
}

static struct page_strip strip_of(const struct layout_vma *vma, uint64_t page_bytes)
{
	struct page_strip strip = { .vma = vma, .page_bytes = page_bytes };
	size_t known = vma->pages ? strlen(vma->pages) : 0;

	if (vma->end <= vma->start || (vma->end - vma->start) / page_bytes > PAGES_MOST)
		return strip;
	strip.count = (vma->end - vma->start) / page_bytes;
	strip.states = checked_calloc(strip.count, sizeof(*strip.states));
	strip.faults = checked_calloc(strip.count, sizeof(*strip.faults));
	for (size_t i = 0; i < strip.count && i < known; i++)
		strip.states[i] = page_state__at_birth(vma, vma->pages[i]);
	return strip;
}

static int compare(const struct page_strip *strip, uint32_t object, uint64_t offset)
{
	if (strip->vma->object != object)
		return strip->vma->object < object ? -1 : 1;
	return strip->vma->offset < offset ? -1 : strip->vma->offset > offset;
}

static int by_place(const void *left, const void *right)
{
	const struct page_strip *a = left, *b = right;
	int order = compare(a, b->vma->object, b->vma->offset);

	return order ? order : a->vma < b->vma ? -1 : a->vma > b->vma;
}

static bool holds(const struct page_strip *strip, const struct place *place)
{
	const struct layout_vma *vma = strip->vma;

	return vma->kind == place->kind && (place->offset - vma->offset) / strip->page_bytes < strip->count;
}

/*
 * A page of the file may be in several mappings: the one whose rights allow the access is meant. A
 * page that the parent had made its own is never mapped from the file in a child.
 */
static bool suits(const struct page_strip *strip, const struct anatomy_row *row)
{
	const struct layout_vma *vma = strip->vma;

	if (row->is_exec)
		return vma->exec;
	if (page_state__by(row) > PAGE_MAPPED)
		return vma->write;
	return !vma->exec &&
	       !(vma->pages && vma->pages[(row->place.offset - vma->offset) / strip->page_bytes] == 'a');
}

static bool begins_by(const void *strips, size_t index, const void *what)
{
	const struct page_strip *strip = (const struct page_strip *)strips + index;
	const struct place *place = what;

	return compare(strip, place->object, place->offset) <= 0;
}

static const struct page_strip *strip_at(const struct page_map *map, const struct anatomy_row *row)
{
	const struct page_strip *found = NULL;
	size_t looks = 0, i = bisect(map->strips, map->count, begins_by, &row->place);

	for (; i-- > 0 && looks < LOOKS_MOST; looks++) {
		const struct page_strip *strip = &map->strips[i];

		if (strip->vma->object != row->place.object)
			break;
		if (!holds(strip, &row->place))
			continue;
		if (suits(strip, row))
			return strip;
		found = strip;
	}
	return found;
}

static void add_fault(const struct page_map *map, const struct anatomy_row *row)
{
	const struct page_strip *strip = strip_at(map, row);
	size_t page;

	if (!strip)
		return;
	page = (row->place.offset - strip->vma->offset) / strip->page_bytes;
	if (page_state__by(row) > strip->states[page] || !strip->faults[page])
		strip->faults[page] = row;
	if (page_state__by(row) > strip->states[page])
		strip->states[page] = page_state__by(row);
}

struct page_map page_map__of(const struct run *run, const struct layout *layout)
{
	const struct anatomy *anatomy = run->anatomy;
	struct page_map map = { 0 };

	map.strips = checked_calloc(layout->vma_count, sizeof(*map.strips));
	for (size_t i = 0; i < layout->vma_count; i++)
		if (layout->vmas[i].object != NO_OBJECT)
			map.strips[map.count++] = strip_of(&layout->vmas[i], run__page_bytes(run));
	qsort(map.strips, map.count, sizeof(*map.strips), by_place);
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == layout->group && row->phase == PHASE_CHILD &&
		    row->place.object != NO_OBJECT)
			add_fault(&map, row);
	}
	return map;
}

void page_map__free(struct page_map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		free(map->strips[i].states);
		free(map->strips[i].faults);
	}
	free(map->strips);
}

size_t page_map__same_object(const struct page_map *map, size_t first)
{
	size_t end = first;

	while (end < map->count && map->strips[end].vma->object == map->strips[first].vma->object)
		end++;
	return end - first;
}

void page_strips__count(const struct page_strip *strips, size_t count,
			uint64_t counts[PAGE_STATE_COUNT])
{
	memset(counts, 0, PAGE_STATE_COUNT * sizeof(*counts));
	for (size_t i = 0; i < count; i++)
		for (size_t page = 0; page < strips[i].count; page++)
			counts[strips[i].states[page]]++;
}

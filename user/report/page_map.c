// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/page_map.h"

#include <stdlib.h>
#include <string.h>

#include "elf/checked.h"

enum { PAGE = GOT_PAGE, PAGES_MOST = 1 << 16 };

const char page_fate_letters[PAGE_FATE_COUNT] = {
	[PAGE_UNKNOWN] = '?',	[PAGE_UNTOUCHED] = '.', [PAGE_SHARED] = 's',
	[PAGE_MAPPED] = 'm',	[PAGE_OWN] = 'o',	[PAGE_BY_KERNEL] = 'K',
	[PAGE_BY_PROGRAM] = 'P', [PAGE_BY_LDSO] = 'L',
};

/*
 * Page tables are copied where the parent has pages of its own; all other pages are left for the
 * child to fault in.
 */
static enum page_fate fate_at_birth(const struct layout_vma *vma, char page)
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

static enum page_fate fate_by_fault(const struct anatomy_row *row)
{
	static const enum page_fate copied_by[ACTOR_COUNT] = {
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

static struct page_strip strip_of(const struct layout_vma *vma)
{
	struct page_strip strip = { .vma = vma };
	size_t known = vma->pages ? strlen(vma->pages) : 0;

	if (vma->object == NO_OBJECT || vma->end <= vma->start ||
	    (vma->end - vma->start) / PAGE > PAGES_MOST)
		return strip;
	strip.count = (vma->end - vma->start) / PAGE;
	strip.fates = checked_calloc(strip.count, sizeof(*strip.fates));
	for (size_t i = 0; i < strip.count && i < known; i++)
		strip.fates[i] = fate_at_birth(vma, vma->pages[i]);
	return strip;
}

static bool holds(const struct page_strip *strip, const struct place *place)
{
	const struct layout_vma *vma = strip->vma;

	return vma->object == place->object && vma->kind == place->kind &&
	       place->offset >= vma->offset && (place->offset - vma->offset) / PAGE < strip->count;
}

/* A page of the file may be in two mappings: that whose rights allow the access is meant. */
static bool suits(const struct layout_vma *vma, const struct anatomy_row *row)
{
	if (row->is_exec)
		return vma->exec;
	if (fate_by_fault(row) > PAGE_MAPPED)
		return vma->write;
	return !vma->exec;
}

static void add_fault(struct page_map *map, const struct anatomy_row *row)
{
	struct page_strip *found = NULL;
	enum page_fate *fate;

	for (size_t i = 0; i < map->layout->vma_count; i++) {
		struct page_strip *strip = &map->strips[i];

		if (holds(strip, &row->place) && (!found || !suits(found->vma, row)))
			found = strip;
	}
	if (!found)
		return;
	fate = &found->fates[(row->place.offset - found->vma->offset) / PAGE];
	if (fate_by_fault(row) > *fate)
		*fate = fate_by_fault(row);
}

struct page_map page_map__of(const struct run *run, const struct layout *layout)
{
	const struct anatomy *anatomy = run->anatomy;
	struct page_map map = { .layout = layout };

	map.strips = checked_calloc(layout->vma_count, sizeof(*map.strips));
	for (size_t i = 0; i < layout->vma_count; i++)
		map.strips[i] = strip_of(&layout->vmas[i]);
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
	for (size_t i = 0; i < map->layout->vma_count; i++)
		free(map->strips[i].fates);
	free(map->strips);
}

void page_map__count(const struct page_map *map, uint32_t object, uint64_t counts[PAGE_FATE_COUNT])
{
	memset(counts, 0, PAGE_FATE_COUNT * sizeof(*counts));
	for (size_t i = 0; i < map->layout->vma_count; i++) {
		const struct page_strip *strip = &map->strips[i];

		for (size_t page = 0; strip->vma->object == object && page < strip->count; page++)
			counts[strip->fates[page]]++;
	}
}

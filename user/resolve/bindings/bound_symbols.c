// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which slots of an object children bound. The contents of its pages before and after (got_pages)
 * show all; without them, the address of ld.so's first write to a page shows one.
 */
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "elf/mapping.h"
#include "resolve/bindings/bindings_parts.h"
#include "resolve/bindings/loaded_layout.h"

/* Collects the symbols of one object. */
struct finder {
	const struct run *run;
	struct anatomy *anatomy; /* of the run */
	uint32_t object;
	struct linked_file *file;
	size_t first; /* of its symbols in anatomy->symbols, or of those of the page at hand */
};

static void add_children(struct binding_symbol *symbol, const uint64_t generations[GENERATION_COUNT])
{
	for (int i = 0; i < GENERATION_COUNT; i++) {
		symbol->generations[i] += generations[i];
		symbol->children += generations[i];
	}
}

static void add_bound(struct finder *finder, uint32_t group, const struct elf_slot *slot, uint32_t provider,
		      const uint64_t generations[GENERATION_COUNT], enum binding_method method)
{
	struct anatomy *anatomy = finder->anatomy;
	struct binding_symbol *symbol;

	for (size_t i = finder->first; i < anatomy->symbol_count; i++) {
		symbol = &anatomy->symbols[i];
		if (symbol->group != group || symbol->slot != slot->address)
			continue;
		add_children(symbol, generations);
		if (symbol->provider == NO_OBJECT)
			symbol->provider = provider;
		return;
	}
	anatomy->symbols = checked_grow(anatomy->symbols, anatomy->symbol_count, sizeof(*anatomy->symbols));
	anatomy->symbols[anatomy->symbol_count++] = (struct binding_symbol){
		.group = group,
		.object = finder->object,
		.slot = slot->address,
		.symbol = slot->symbol ? checked_strdup(slot->symbol) : NULL,
		.provider = provider,
		.method = method,
	};
	add_children(&anatomy->symbols[anatomy->symbol_count - 1], generations);
}

/* A layout applies to the child only if it has the object at the same address. */
static uint32_t provider_of(const struct finder *finder, uint32_t group, uint64_t bias, uint64_t target)
{
	const struct anatomy *anatomy = finder->anatomy;
	uint64_t there;

	for (size_t i = 0; i < anatomy->layout_count; i++) {
		const struct layout *layout = &anatomy->layouts[i];

		if (layout__is_of_parent(layout, finder->run, group) &&
		    layout__bias(layout, finder->object, finder->file->elf, &there) && there == bias)
			return layout__object_at(layout, target);
	}
	return NO_OBJECT;
}

/* Compares the page as if at this virtual address. False: no slot of such a page was bound. */
static bool compare_at(struct finder *finder, const struct got_page *page, uint64_t address)
{
	struct linked_file *file = finder->file;
	const struct elf_relocations *relocations = file->relocations;
	uint64_t bias = page->address - address;
	bool found = false;

	for (size_t i = elf_relocations__first_slot(relocations, address); i < relocations->slot_count; i++) {
		const struct elf_slot *slot = relocations->by_address[i];
		uint64_t inner = slot->address - address, before, after;

		if (inner > GOT_PIECE - relocations->word)
			break;
		if (i && relocations->by_address[i - 1]->address == slot->address)
			continue; /* two relocations for one word: no linker does that */
		before = linked_file__load(file, page->before + inner);
		after = linked_file__load(file, page->after + inner);
		if (before == after || !linked_file__is_unbound(file, slot, bias, before))
			continue;
		add_bound(finder, page->group, slot, provider_of(finder, page->group, bias, after),
		    page->generations, BY_GOT_DIFFERENCE);
		found = true;
	}
	return found;
}

/*
 * Several writable segments may contain a part of that page of the file. In the right one the slots
 * have the values of the file; the addresses of the others differ by pages.
 */
static void compare_page(struct finder *finder, const struct got_page *page)
{
	const struct elf_object *elf = finder->file->elf;

	for (size_t i = 0; i < elf->segment_count; i++) {
		uint64_t address;

		if ((elf->segments[i].p_flags & PF_W) &&
		    elf_mapping__score(elf, i, page->offset, ELF_READ | ELF_WRITE, &address) &&
		    compare_at(finder, page, address))
			return;
	}
}

/* Did ld.so copy this page in a child, to write to it? */
static bool is_write(const struct finder *finder, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO && row__makes_own(row, finder->object);
}

static bool is_same_page(const struct got_page *page, const struct got_page *other)
{
	return page->object == other->object && page->group == other->group && page->offset == other->offset;
}

/* Recorded children in which ld.so wrote to the page. */
static uint64_t writers(const struct finder *finder, const struct got_page *page)
{
	const struct anatomy *anatomy = finder->anatomy;
	const struct sample *sample = anatomy__sample(anatomy, page->group);
	uint64_t children = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (is_write(finder, row) && row->group == page->group &&
		    page__is_same(row->place.offset, page->offset))
			children += row->children;
	}
	return sample && children > sample->children ? sample->children : children;
}

/* Contents are kept of the first children only; the others are assumed to bind the same symbols. */
static void scale_up(struct finder *finder, uint64_t compared, uint64_t children)
{
	for (size_t i = finder->first; i < finder->anatomy->symbol_count; i++) {
		struct binding_symbol *symbol = &finder->anatomy->symbols[i];
		uint64_t scaled[GENERATION_COUNT];

		if (!compared || children <= compared)
			continue;
		for (int k = 0; k < GENERATION_COUNT; k++)
			scaled[k] =
				(uint64_t)((double)symbol->generations[k] * (double)children / (double)compared + 0.5);
		memset(symbol->generations, 0, sizeof(symbol->generations));
		symbol->children = 0;
		add_children(symbol, scaled);
	}
}

/* Compares all contents of a page, if this is the first of them. */
static void compare_pages(struct finder *finder, size_t first)
{
	const struct anatomy *anatomy = finder->anatomy;
	const struct got_page *page = &anatomy->got_pages[first];
	uint64_t compared = 0;

	for (size_t i = 0; i < first; i++) {
		if (is_same_page(&anatomy->got_pages[i], page))
			return;
	}
	finder->first = anatomy->symbol_count;
	for (size_t i = first; i < anatomy->got_page_count; i++) {
		if (!is_same_page(&anatomy->got_pages[i], page))
			continue;
		compare_page(finder, &anatomy->got_pages[i]);
		compared += anatomy->got_pages[i].children;
	}
	scale_up(finder, compared, writers(finder, page));
}

/* Rows do not contain the generation, so it is known only if there is just one. */
static void first_slot_children(const struct finder *finder, const struct anatomy_row *row,
				uint64_t generations[GENERATION_COUNT])
{
	const struct sample *sample = anatomy__sample(finder->anatomy, row->group);
	int which = GENERATION_UNKNOWN;

	for (int i = 0; sample && !sample__is_mixed(sample) && i < GENERATION_COUNT; i++)
		if (sample->generations[i])
			which = i;
	memset(generations, 0, GENERATION_COUNT * sizeof(*generations));
	generations[which] = row->place.varies ? 1 : row->children;
}

static void add_first_slot(struct finder *finder, const struct anatomy_row *row)
{
	const struct elf_slot *slot = linked_file__slot_written(finder->file, row->place.offset);
	uint64_t generations[GENERATION_COUNT];

	if (!slot || slot->kind != RELOC_JUMP_SLOT)
		return;
	first_slot_children(finder, row, generations);
	add_bound(finder, row->group, slot, NO_OBJECT, generations, BY_FIRST_SLOT);
}

void bound_symbols__add(struct run *run, uint32_t object, struct linked_file *file)
{
	struct anatomy *anatomy = run->anatomy;
	struct finder finder = { run, anatomy, object, file, 0 };

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		if (anatomy->got_pages[i].object == object)
			compare_pages(&finder, i);
	}
	finder.first = anatomy->symbol_count;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (is_write(&finder, row) && !got_pages__hold(anatomy, object, row->group, row->place.offset))
			add_first_slot(&finder, row);
	}
}

static int by_group(const void *left, const void *right)
{
	const struct binding_symbol *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->children != b->children)
		return a->children > b->children ? -1 : 1;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

void bound_symbols__sort(struct anatomy *anatomy)
{
	if (anatomy->symbol_count)
		qsort(anatomy->symbols, anatomy->symbol_count, sizeof(*anatomy->symbols), by_group);
}

static bool is_in_got(const struct anatomy_row *row, uint32_t object)
{
	return row->actor == ACTOR_LDSO && row__makes_own(row, object) && row->place.section &&
	       !strncmp(row->place.section, ".got", strlen(".got"));
}

/* Names a row only if its first write was to the begin of a slot. */
void bound_symbols__name_rows(struct anatomy *anatomy, uint32_t object, const struct linked_file *file)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		struct place *place = &anatomy->rows[i].place;
		const struct elf_slot *slot;
		uint64_t address;

		if (!is_in_got(&anatomy->rows[i], object))
			continue;
		slot = linked_file__slot_written(file, place->offset);
		if (!slot || !slot->symbol || !linked_file__written(file, place->offset, &address) ||
		    slot->address != address)
			continue;
		text__replace(&place->symbol, "%s@got", slot->symbol);
		place->symbol_offset = 0;
	}
}

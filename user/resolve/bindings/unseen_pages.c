// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether all bindings of children are known: whether every page with waiting slots that a child
 * made its own was compared.
 */
#include "base/page.h"
#include "resolve/bindings/bindings_parts.h"
#include "resolve/bindings/loaded_layout.h"

struct unseen_search {
	const struct run *run;
	uint32_t object;
	struct linked_file *file; /* NULL: unreadable */
};

void unseen_pages__begin(struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->sample_count; i++) {
		struct sample *sample = &anatomy->samples[i];

		sample->unseen_pages = sample->child_missed || sample->child_beyond ? ABSENT : 0;
	}
}

/* Did a child make a page of the object its own? Whatever code did: ld.so may have written there later. */
static bool is_made_own(const struct unseen_search *search, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row__makes_own(row, search->object);
}

/* Copies and reuses of a page are rows of their own. */
static bool was_counted(const struct unseen_search *search, size_t which)
{
	const struct anatomy_row *rows = search->run->anatomy->rows, *row = &rows[which];

	for (size_t i = 0; i < which; i++)
		if (is_made_own(search, &rows[i]) && rows[i].group == row->group &&
		    page__is_same(rows[i].place.offset, row->place.offset))
			return true;
	return false;
}

/* May the parent have left the slot unbound? If its memory was not read: yes. */
static bool may_wait(const struct unseen_search *search, uint32_t group, const struct elf_slot *slot)
{
	const struct anatomy *anatomy = search->run->anatomy;
	struct linked_file *file = search->file;
	uint64_t bias, word;

	for (size_t i = 0; i < anatomy->layout_count; i++) {
		const struct layout *layout = &anatomy->layouts[i];

		if (layout__is_of_parent(layout, search->run, group) &&
		    layout__bias(layout, search->object, file->elf, &bias) &&
		    layout__word(layout, (slot->address + bias) & file->mask, file, &word))
			return linked_file__is_unbound(file, slot, bias, word);
	}
	return true;
}

static bool holds_waiting(const struct unseen_search *search, const struct anatomy_row *row)
{
	const struct linked_file *file = search->file;
	const struct elf_relocations *relocations = file->relocations;
	uint64_t address;

	if (!linked_file__written(file, row->place.offset, &address))
		return false;
	address = page__begin(address);
	for (size_t i = elf_relocations__first_slot(relocations, address);
	     i < relocations->slot_count && relocations->by_address[i]->address - address < page_bytes; i++)
		if (relocations->by_address[i]->kind == RELOC_JUMP_SLOT &&
		    may_wait(search, row->group, relocations->by_address[i]))
			return true;
	return false;
}

/* Do the relocations of slots lie among code, so that running it may map them, too? */
static bool is_among_code(const struct linked_file *file)
{
	uint64_t table = elf_object__tag_value(file->elf, DT_JMPREL);

	for (size_t i = 0; i < file->elf->segment_count; i++) {
		const GElf_Phdr *segment = &file->elf->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    table >= segment->p_vaddr && table - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

/*
 * To bind a slot, ld.so reads its relocation from a page of the file, which fork does not map for
 * the child. So if ld.so took no fault in the object, it bound none of its slots.
 */
static bool may_have_bound(const struct unseen_search *search, uint32_t group)
{
	const struct anatomy *anatomy = search->run->anatomy;
	bool anywhere = !search->file || is_among_code(search->file);

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == group && row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO &&
		    (anywhere || row->place.object == search->object))
			return true;
	}
	return false;
}

/* Files of data can be unreadable, too. */
static bool runs_code(const struct anatomy *anatomy, uint32_t object)
{
	for (size_t i = 0; i < anatomy->row_count; i++)
		if (anatomy->rows[i].code.object == object)
			return true;
	return false;
}

void unseen_pages__add(struct run *run, uint32_t object, struct linked_file *file)
{
	const struct unseen_search search = { run, object, file };
	struct anatomy *anatomy = run->anatomy;

	if (file ? !file->relocations->lazy : !runs_code(anatomy, object))
		return;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		struct sample *sample;

		if (!is_made_own(&search, row))
			continue;
		sample = (struct sample *)anatomy__sample(anatomy, row->group); /* ours to change */
		if (sample && sample->unseen_pages != ABSENT &&
		    !got_pages__hold(anatomy, object, row->group, row->place.offset) &&
		    (!file || holds_waiting(&search, row)) &&
		    may_have_bound(&search, row->group) && !was_counted(&search, i))
			sample->unseen_pages++;
	}
}

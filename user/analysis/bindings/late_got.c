// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings/late_got.h"

static bool waited_in_a_child(const struct loaded *loaded, const struct elf_slot *slot)
{
	const struct anatomy *anatomy = loaded->anatomy;
	struct linked_file *file = loaded->file;
	uint64_t address = (slot->address + loaded->bias) & file->mask;

	for (size_t i = 0; i < anatomy->got_page_count; i++) {
		const struct got_page *page = &anatomy->got_pages[i];
		uint64_t inner = address - page->address;

		if (page->object == loaded->object && page->group == loaded->layout->group &&
		    inner <= GOT_PAGE - file->relocations->word &&
		    linked_file__is_unbound(file, slot, loaded->bias,
					    linked_file__load(file, page->before + inner)))
			return true;
	}
	return false;
}

static bool was_written_by_the_parent(const struct loaded *loaded, const struct elf_slot *slot)
{
	uint64_t address;

	for (size_t i = 0; i < loaded->writes->count; i++) {
		const struct anatomy_row *row = loaded->writes->rows[i];

		if (row->phase == PHASE_PARENT && row->group == loaded->layout->group &&
		    linked_file__written(loaded->file, row->place.offset, &address) &&
		    address - slot->address < loaded->file->relocations->word)
			return true;
	}
	return false;
}

bool loaded__bound_late(const struct loaded *loaded, const struct elf_slot *slot)
{
	return slot->kind == ELF_JUMP_SLOT &&
	       (waited_in_a_child(loaded, slot) || was_written_by_the_parent(loaded, slot));
}

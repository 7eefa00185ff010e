// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindings/slots.h"

#include <stdio.h>

#include "base/memory.h"

static bool is_in_got(const struct anatomy_row *row, uint32_t object)
{
	const struct place *place = &row->place;

	return row->actor == ACTOR_LDSO && place->object == object && place->kind == PLACE_FILE &&
	       place->section && !strncmp(place->section, ".got", strlen(".got")) &&
	       (row->class == FAULT_COW_COPY || row->class == FAULT_COW_REUSE ||
		row->class == FAULT_FILE_COW);
}

/* The slot that begins at a file offset, with a name; NULL. */
static const struct elf_slot *slot_at(const struct linked_file *file, uint64_t offset)
{
	uint64_t address;
	size_t index;

	if (!linked_file__written(file, offset, &address))
		return NULL;
	index = linked_file__first_slot(file, address);
	if (index == file->relocations->slot_count || file->slots[index]->address != address ||
	    !file->slots[index]->symbol)
		return NULL;
	return file->slots[index];
}

void binding_slots__name(struct anatomy *anatomy, uint32_t object,
			 const struct linked_file *file)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		struct place *place = &anatomy->rows[i].place;
		const struct elf_slot *slot =
			is_in_got(&anatomy->rows[i], object) ? slot_at(file, place->offset) : NULL;

		if (!slot)
			continue;
		free(place->symbol);
		if (asprintf(&place->symbol, "%s@got", slot->symbol) < 0)
			place->symbol = checked(NULL);
		place->symbol_offset = 0;
	}
}

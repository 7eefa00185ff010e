// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/anatomy_names.h"

#include "analysis/file_identity.h"
#include "elf/checked.h"
#include "elf/symbols.h"

/* What the mapping must have allowed, so that a file page of two segments is taken for the right
 * one. A read tells nothing. */
static unsigned int rights_of_access(const struct anatomy_row *row)
{
	if (row->is_exec)
		return ELF_EXEC;
	if (row->place.kind == PLACE_BSS)
		return ELF_WRITE;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_COW_REUSE:
	case FAULT_FILE_COW:
	case FAULT_SHARED_WRITE:
		return ELF_WRITE;
	default:
		return 0;
	}
}

static void name_place(struct place *place, const struct elf_symbols *symbols, unsigned int rights)
{
	const char *section, *symbol;
	uint64_t address, distance;

	if (place->section || place->symbol ||
	    !elf_symbols__address(symbols, place->offset, rights, &address))
		return;
	section = elf_symbols__section(symbols, address);
	symbol = elf_symbols__symbol(symbols, address, &distance);
	if (section)
		place->section = checked_strdup(section);
	if (!symbol)
		return;
	place->symbol = checked_strdup(symbol);
	place->symbol_offset = distance;
}

static bool lies_in(const struct place *place, uint32_t object)
{
	return place->object == object && (place->kind == PLACE_FILE || place->kind == PLACE_BSS);
}

static bool is_used(const struct anatomy *anatomy, uint32_t object)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (lies_in(&anatomy->rows[i].place, object) ||
		    lies_in(&anatomy->rows[i].code, object))
			return true;
	}
	return false;
}

static void name_places_in(struct anatomy *anatomy, uint32_t object)
{
	char *reason = NULL;
	struct elf_symbols *symbols = elf_symbols__open(anatomy->objects[object].path, &reason);

	free(reason); /* data files are mapped, too: to be no ELF file is no mistake */
	if (!symbols)
		return;
	for (size_t i = 0; i < anatomy->row_count; i++) {
		struct anatomy_row *row = &anatomy->rows[i];

		if (lies_in(&row->place, object))
			name_place(&row->place, symbols, rights_of_access(row));
		if (lies_in(&row->code, object))
			name_place(&row->code, symbols, ELF_EXEC);
	}
	elf_symbols__close(symbols);
}

bool anatomy__resolve(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;
	bool by_inode = false;

	for (uint32_t i = 0; i < anatomy->object_count; i++) {
		struct object *object = &anatomy->objects[i];
		enum file_identity identity;

		if (!object->path)
			continue;
		identity = file_identity__of(object->path, object->dev, object->ino);
		object->changed = identity == FILE_HAS_CHANGED;
		by_inode |= identity == FILE_HAS_SAME_INODE;
		if (!object->changed && is_used(anatomy, i))
			name_places_in(anatomy, i);
	}
	return by_inode;
}

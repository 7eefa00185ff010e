// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/place_names.h"

#include <stdlib.h>

#include "base/memory.h"
#include "elf/mapping.h"
#include "elf/symbols.h"
#include "resolve/names/file_identity.h"

/*
 * What the access says about the rights of the mapping, to choose between two segments with the
 * same page of the file. A read says nothing.
 */
static unsigned int rights_of_access(const struct anatomy_row *row)
{
	if (row->is_exec)
		return ELF_READ | ELF_EXEC;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_COW_REUSE:
	case FAULT_FILE_COW:
	case FAULT_SHARED_WRITE:
		return ELF_READ | ELF_WRITE;
	default:
		return 0;
	}
}

/* Cleared memory begins at the end of the file part; the section .bss, at its first variable. */
static bool is_cleared(const struct elf_object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];
		uint64_t inner = address - segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_W &&
		    inner >= segment->p_filesz && inner < segment->p_memsz)
			return true;
	}
	return false;
}

static bool find_address(struct place *place, const struct elf_object *object, unsigned int rights, uint64_t *address)
{
	return place->kind == PLACE_BSS ? place__settle_bss(place, object, address)
					: elf_mapping__address(object, place->offset, rights, address);
}

static void name_place(struct place *place, struct elf_file *file, unsigned int rights)
{
	const struct elf_symbols *symbols = elf_symbols__of(file);
	const char *section, *symbol;
	uint64_t address, distance;

	if (place->section || place->symbol || !find_address(place, &file->object, rights, &address))
		return;
	section = elf_symbols__section(symbols, address);
	if (!section && is_cleared(&file->object, address))
		section = ".bss";
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
	return place->object == object && place__has_object(place);
}

static bool is_used(const struct anatomy *anatomy, uint32_t object)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (lies_in(&anatomy->rows[i].place, object) || lies_in(&anatomy->rows[i].code, object))
			return true;
	}
	return false;
}

/*
 * Returns why there are no names, to be freed; NULL: nothing is wrong. A file that is not ELF is
 * nothing wrong: data files are mapped, too.
 */
static char *name_places_in(struct anatomy *anatomy, uint32_t object)
{
	struct elf_file *file = elf_file__open(anatomy->objects[object].path);
	char *reason = file->reason ? checked_strdup(file->reason) : NULL;

	for (size_t i = 0; file->opened == ELF_OPENED && i < anatomy->row_count; i++) {
		struct anatomy_row *row = &anatomy->rows[i];

		if (lies_in(&row->place, object))
			name_place(&row->place, file, rights_of_access(row));
		if (lies_in(&row->code, object))
			name_place(&row->code, file, ELF_READ | ELF_EXEC);
	}
	elf_file__close(file);
	return reason;
}

static bool code_ran_from(const struct anatomy *anatomy, uint32_t object)
{
	for (size_t i = 0; i < anatomy->row_count; i++)
		if (lies_in(&anatomy->rows[i].code, object))
			return true;
	return false;
}

/* Files of code without names. Of many, as a build leaves behind, only the first is named. */
struct unnamed {
	const char *path;
	char *reason;
	size_t count;
};

static void add_unnamed(struct unnamed *unnamed, const char *path, char *reason)
{
	if (unnamed->count++) {
		free(reason);
		return;
	}
	unnamed->path = path;
	unnamed->reason = reason;
}

static void note_unnamed(struct run *run, struct unnamed *unnamed)
{
	if (unnamed->count == 1)
		run__note(run, "%s: %s: its symbols are unknown", unnamed->path, unnamed->reason);
	else if (unnamed->count)
		run__note(run, "%s: %s: its symbols are unknown, and those of %zu other file%s", unnamed->path,
			  unnamed->reason, unnamed->count - 1, unnamed->count == 2 ? "" : "s");
	free(unnamed->reason);
}

bool anatomy__resolve(struct run *run)
{
	struct anatomy *anatomy = run->anatomy;
	struct unnamed unnamed = { 0 };
	bool by_inode = false;

	for (uint32_t i = 0; i < anatomy->object_count; i++) {
		struct object *object = &anatomy->objects[i];
		enum file_identity identity;
		char *reason = NULL;

		if (!object->path)
			continue;
		identity = file_identity__of(object->path, object->dev, object->ino);
		object->changed = identity == FILE_HAS_CHANGED;
		by_inode |= identity == FILE_HAS_SAME_INODE;
		if (object->changed)
			reason = checked_strdup("deleted, replaced, or in another root (container)");
		else if (is_used(anatomy, i))
			reason = name_places_in(anatomy, i);
		if (reason && code_ran_from(anatomy, i))
			add_unnamed(&unnamed, object->path, reason);
		else
			free(reason);
	}
	note_unnamed(run, &unnamed);
	return by_inode;
}

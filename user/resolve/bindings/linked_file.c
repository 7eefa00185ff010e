// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/bindings/linked_file.h"

#include <string.h>

#include "base/arch.h"
#include "elf/mapping.h"

/* Files of other machines can be mapped (emulators do), but ld.so has not relocated them. */
static bool is_of_this_machine(const struct elf_object *elf)
{
	return elf->header.e_machine == ARCH_ELF_MACHINE || elf->header.e_machine == ARCH_ELF_COMPAT;
}

static enum linked look_into(struct linked_file *linked)
{
	const char *reason; /* unused: the counts are absent then */

	if (linked->file->opened == ELF_IS_NO_ELF)
		return LINKED_NO_ELF;
	if (linked->file->opened != ELF_OPENED)
		return LINKED_UNREADABLE;
	linked->elf = &linked->file->object;
	if (!is_of_this_machine(linked->elf))
		return LINKED_NO_ELF;
	linked->relocations = elf_relocations__of(linked->file, &reason);
	if (!linked->relocations)
		return LINKED_UNREADABLE;
	linked->mask = linked->relocations->word == 4 ? UINT32_MAX : UINT64_MAX;
	return LINKED;
}

enum linked linked_file__open(struct linked_file *linked, const char *path)
{
	enum linked result;

	*linked = (struct linked_file){ .file = elf_file__open(path) };
	result = look_into(linked);
	if (result != LINKED)
		linked_file__close(linked);
	return result;
}

void linked_file__close(struct linked_file *linked)
{
	elf_file__close(linked->file);
	*linked = (struct linked_file){ 0 };
}

bool linked_file__written(const struct linked_file *linked, uint64_t offset, uint64_t *address)
{
	return elf_mapping__address(linked->elf, offset, ELF_READ | ELF_WRITE, address);
}

/* Reads `size` bytes at a file offset into the window, and as many after them as fit. */
static const unsigned char *look(struct linked_file *linked, uint64_t offset, size_t size)
{
	uint64_t all = linked->elf->stat.st_size;

	if (offset >= linked->window_offset && offset - linked->window_offset < linked->window_size &&
	    linked->window_size - (offset - linked->window_offset) >= size)
		return linked->window + (offset - linked->window_offset);
	if (offset >= all || all - offset < size)
		return NULL;
	linked->window_offset = offset;
	linked->window_size = all - offset < sizeof(linked->window) ? all - offset : sizeof(linked->window);
	if (!elf_object__read(linked->elf, offset, linked->window, linked->window_size)) {
		linked->window_size = 0;
		return NULL;
	}
	return linked->window;
}

uint64_t linked_file__load(const struct linked_file *linked, const unsigned char *bytes)
{
	uint32_t half;
	uint64_t word;

	if (linked->relocations->word == sizeof(half)) {
		memcpy(&half, bytes, sizeof(half));
		return half;
	}
	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* The file's word at a virtual address; false if it has none (.bss). */
static bool word_at(struct linked_file *linked, uint64_t address, uint64_t *word)
{
	size_t size = linked->relocations->word;

	for (size_t i = 0; i < linked->elf->segment_count; i++) {
		const GElf_Phdr *segment = &linked->elf->segments[i];
		uint64_t inner = address - segment->p_vaddr;
		const unsigned char *bytes;

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    inner >= segment->p_filesz || segment->p_filesz - inner < size)
			continue;
		bytes = look(linked, segment->p_offset + inner, size);
		if (bytes)
			*word = linked_file__load(linked, bytes);
		return bytes;
	}
	return false;
}

const struct elf_slot *linked_file__slot_written(const struct linked_file *linked, uint64_t offset)
{
	const struct elf_relocations *relocations = linked->relocations;
	uint64_t address, word = relocations->word;
	size_t index;

	if (!linked_file__written(linked, offset, &address))
		return NULL;
	index = elf_relocations__first_slot(relocations, address >= word ? address - word + 1 : 0);
	return index < relocations->slot_count && relocations->by_address[index]->address <= address
		       ? relocations->by_address[index]
		       : NULL;
}

static bool is_in_plt(const struct linked_file *linked, uint64_t address)
{
	return address >= linked->relocations->plt_start && address < linked->relocations->plt_end;
}

bool linked_file__is_unbound(struct linked_file *linked, const struct elf_slot *slot, uint64_t bias, uint64_t word)
{
	uint64_t inner = (word - bias) & linked->mask, stated;

	if (slot->kind != RELOC_JUMP_SLOT || !is_in_plt(linked, inner))
		return false;
	if (!word_at(linked, slot->address, &stated) || inner == stated)
		return true;
	/* Prelinked: the slot in the file already has the address that it would be bound to. */
	return stated && !is_in_plt(linked, stated);
}
